#include "interface/eigen_files.h"

#include "interface/domain_wall.h"
#include "interface/eigen_options.h"

#include <cstring>

namespace quda
{

namespace
{

  NamedFile file_of(Checks &checks, const char *member, const char (&name)[256])
  {
    if (!std::memchr(name, 0, sizeof name))
      refuse(checks.function, std::string("QudaEigParam.") + member, text("\"%.20s...\"", name),
             "up to 255 characters and a zero after them");
    checks.same(member, name[0] != 0);
    return {checks.function, member, name};
  }

  /// Text that names the matrix of this call's eigenvectors.
  std::string matrix_text(const QudaEigParam &param, const DiracParam &dirac, bool slices)
  {
    const QudaInvertParam &invert = *param.invert_param;
    std::string all = "dslash_type = " + value_text(invert.dslash_type);
    if (domain_wall(invert.dslash_type))
      all += domain_wall_text(invert);
    else
      all +=
          staggered(invert.dslash_type) ? text(", mass = %.17g", invert.mass) : text(", kappa = %.17g", invert.kappa);
    if (const auto *const twisted = std::get_if<TwistedFermions>(&dirac))
      all += text(", mu = %.17g, epsilon = %.17g", twisted->twist.mu, twisted->twist.epsilon);
    if (const auto *const hasenbusch = std::get_if<HasenbuschFermions>(&dirac))
      all += text(", mu = %.17g", hasenbusch->mu);
    if (const auto *const laplace = std::get_if<LaplaceVectors>(&dirac))
      all += text(", laplace3D = %d", laplace->omitted);
    if (param.use_smeared_gauge) all += ", use_smeared_gauge";
    if (param.use_pc) all += ", use_pc, matpc_type = " + value_text(invert.matpc_type);
    if (param.use_dagger) all += ", use_dagger";
    if (param.use_norm_op) all += ", use_norm_op";
    if (param.compute_gamma5) all += ", compute_gamma5";
    if (slices) all += ", slices";
    return all;
  }

} // namespace

EigenFiles eigen_files(Checks &checks, const QudaEigParam &param, const QuarkJob &job, bool slices, bool one_slice)
{
  using P = QudaEigParam;
  const char *function = checks.function;
  EigenFiles files;
  files.matrix = matrix_text(param, job.dirac, slices);
  files.boundary = job.links->precise().t_boundary() == TBoundary::antiperiodic ? "antiperiodic in t" : "periodic in t";
  files.in = file_of(checks, "vec_infile", param.vec_infile);
  files.out = file_of(checks, "vec_outfile", param.vec_outfile);
  if (files.in.path.empty() && files.out.path.empty()) return files;
  check(checks, param, &P::partfile);
  files.in.parts = files.out.parts = param.partfile;
  if (one_slice)
    refuse(function, files.in.path.empty() ? "QudaEigParam.vec_outfile" : "QudaEigParam.vec_infile",
           "\"" + (files.in.path.empty() ? files.out : files.in).path + "\"",
           "an empty name on the resident links, which have X[3] = 1", ErrorKind::unsupported);
  if (files.out.path.empty()) return files;
  check(checks, param, &P::save_prec, &P::io_parity_inflate);
  if (param.save_prec != QUDA_DOUBLE_PRECISION && param.save_prec != QUDA_SINGLE_PRECISION)
    refuse(function, "QudaEigParam.save_prec", value_text(param.save_prec),
           "QUDA_DOUBLE_PRECISION, QUDA_SINGLE_PRECISION", ErrorKind::unsupported);
  if (files.out.parts || job.links->precise().lattice().communicator().rank() == 0) check_can_be_made(files.out);
  return files;
}

} // namespace quda
