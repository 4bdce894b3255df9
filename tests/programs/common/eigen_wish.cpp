#include "programs/common/eigen_wish.h"

#include <algorithm>

#include "programs/common/process.h"

namespace program
{

namespace
{

  const Names<QudaEigType> methods = {{"trlm", QUDA_EIG_TR_LANCZOS},
                                      {"blktrlm", QUDA_EIG_BLK_TR_LANCZOS},
                                      {"iram", QUDA_EIG_IR_ARNOLDI},
                                      {"blkiram", QUDA_EIG_BLK_IR_ARNOLDI}};
  const Names<QudaEigSpectrumType> spectra = {{"SR", QUDA_SPECTRUM_SR_EIG}, {"LR", QUDA_SPECTRUM_LR_EIG},
                                              {"SM", QUDA_SPECTRUM_SM_EIG}, {"LM", QUDA_SPECTRUM_LM_EIG},
                                              {"SI", QUDA_SPECTRUM_SI_EIG}, {"LI", QUDA_SPECTRUM_LI_EIG}};

  const Names<QudaPrecision> file_precisions = {{"double", QUDA_DOUBLE_PRECISION}, {"single", QUDA_SINGLE_PRECISION}};

  QudaBoolean flag(bool yes) { return yes ? QUDA_BOOLEAN_TRUE : QUDA_BOOLEAN_FALSE; }

} // namespace

void add_eigen_options(CommandLine &line, EigenWish &wish)
{
  line.add_choice("--eig-type", wish.type, methods, "Method: thick-restart Lanczos, Arnoldi, or either in blocks");
  line.add_choice("--eig-spectrum", wish.spectrum, spectra,
                  "Smallest or largest (S, L) real parts, imaginary parts or moduli (R, I, M)");
  line.add("--eig-n-conv", wish.n_conv, "Pairs wanted [--eig-n-ev]", {1, 100000});
  line.add("--eig-n-ev", wish.n_ev, "Vectors kept at a restart at least", {1, 100000});
  line.add("--eig-n-kr", wish.n_kr, "Vectors of the Krylov space", {2, 100000});
  line.add("--eig-block-size", wish.block, "Vectors multiplied at once by the methods in blocks", {1, 1024});
  line.add("--eig-tol", wish.tol, "Wanted residual, over the eigenvalue [1e-10, with --prec single 1e-4]",
           not_negative);
  line.add("--eig-max-restarts", wish.restarts, "Most restarts", {0, 1000000});
  line.add("--eig-use-normop", wish.norm_op, "The matrix is M^dag M");
  line.add("--eig-use-dagger", wish.dagger, "The adjoint in place of M");
  line.add("--eig-use-pc", wish.pc, "M is the even-odd preconditioned matrix");
  line.add("--eig-compute-gamma5", wish.gamma5, "The matrix is gamma5 M");
  line.add("--eig-compute-svd", wish.svd, "Singular vectors, too, of M");
  line.add("--eig-use-poly-acc", wish.polynomial, "Chebyshev polynomials of the matrix");
  line.add("--eig-poly-deg", wish.degree, "Their degree", {1, 100000});
  line.add("--eig-amin", wish.a_min, "Lower end of their window; 0: found");
  line.add("--eig-amax", wish.a_max, "Upper end of it; 0: found");
  line.add("--eig-require-convergence", wish.require, "Fails where pairs have not converged");
}

void add_eigen_files(CommandLine &line, EigenWish &wish)
{
  line.add("--eig-load-vec", wish.load, "File of the vectors, in place of a search [none]");
  line.add("--eig-save-vec", wish.save, "File that the vectors are written to [none]");
  line.add_choice("--eig-save-prec", wish.save_prec, file_precisions, "Precision in it");
  line.add("--eig-io-parity-inflate", wish.inflate, "Vectors of one parity stand on all sites in it");
  line.add("--eig-partfile", wish.parts, "Each process has a file of its own sites, read and written");
}

QudaEigParam eigen_param(const EigenWish &wish, QudaInvertParam &invert)
{
  QudaEigParam param = newQudaEigParam();
  param.invert_param = &invert;
  param.eig_type = wish.type;
  param.spectrum = wish.spectrum;
  param.n_conv = wish.n_conv;
  param.n_ev = wish.n_ev;
  param.n_kr = wish.n_kr;
  if (wish.type == QUDA_EIG_BLK_TR_LANCZOS || wish.type == QUDA_EIG_BLK_IR_ARNOLDI) param.block_size = wish.block;
  param.tol = wish.tol;
  param.max_restarts = wish.restarts;
  param.use_norm_op = flag(wish.norm_op);
  param.use_dagger = flag(wish.dagger);
  param.use_pc = flag(wish.pc);
  param.compute_gamma5 = flag(wish.gamma5);
  param.compute_svd = flag(wish.svd);
  param.use_poly_acc = flag(wish.polynomial);
  param.poly_deg = wish.degree;
  param.a_min = wish.a_min;
  param.a_max = wish.a_max;
  param.require_convergence = flag(wish.require);
  const auto name_file = [](const char *option, char(&to)[256], const std::string &name) {
    if (name.size() >= sizeof to) throw UsageError(std::string(option) + ": the name is longer than 255 characters");
    std::copy_n(name.c_str(), name.size() + 1, to);
  };
  name_file("--eig-load-vec", param.vec_infile, wish.load);
  name_file("--eig-save-vec", param.vec_outfile, wish.save);
  param.save_prec = wish.save_prec;
  param.io_parity_inflate = flag(wish.inflate);
  param.partfile = flag(wish.parts);
  return param;
}

} // namespace program
