#include "interface/multigrid_files.h"

#include "dirac/make_dirac.h"
#include "interface/params/param_table.h"
#include "ops/blas/blas.h"

#include <cstring>

namespace quda
{

namespace
{

  using P = QudaMultigridParam;

  constexpr const char *in_member = "vec_infile[0]", *out_member = "vec_outfile[0]";

  std::string stem_of(const char *function, const char *member, const char (&name)[256])
  {
    if (!std::memchr(name, 0, sizeof name))
      fail(ErrorKind::bad_argument,
           text("%s: QudaMultigridParam.%s = \"%.20s...\"; allowed: up to 255 characters and a "
                "zero after them",
                function, member, name));
    return name;
  }

  NamedFile file_of(const char *function, const char *member, const std::string &stem, int vectors)
  {
    return {function, member, stem + text("_level_0_nvec_%d", vectors), "QudaMultigridParam"};
  }

  NamedFile output(Checks &checks, const P &param, const char *why, int vectors)
  {
    const char *function = checks.function;
    const std::string stem = stem_of(function, out_member, param.vec_outfile[0]);
    checks.same(out_member, stem.empty());
    if (stem.empty())
      fail(ErrorKind::bad_argument,
           text("%s: QudaMultigridParam.%s = \"\"%s; allowed: the stem of a file's name", function, out_member, why));
    check(checks, param, first(1, &P::mg_vec_partfile));
    if (param.mg_vec_partfile[0])
      fail(ErrorKind::unsupported, text("%s: QudaMultigridParam.mg_vec_partfile[0] = %s; allowed: QUDA_BOOLEAN_FALSE, "
                                        "one file of all ranks",
                                        function, value_text(param.mg_vec_partfile[0]).c_str()));
    NamedFile file = file_of(function, out_member, stem, vectors);
    if (default_communicator()->rank() == 0) check_can_be_made(file);
    return file;
  }

} // namespace

MultigridFiles multigrid_files(Checks &checks, const QudaMultigridParam &param)
{
  const char *function = checks.function;
  const int lower = param.n_level - 1;
  check(checks, param, &P::compute_null_vector, first(lower, &P::vec_load), first(lower, &P::vec_store));
  for (int level = 1; level < lower; level++)
    for (const auto &[member, value] :
         {std::pair("vec_load", param.vec_load[level]), std::pair("vec_store", param.vec_store[level])})
      if (value)
        fail(ErrorKind::unsupported, text("%s: QudaMultigridParam.%s[%d] = %s; allowed: QUDA_BOOLEAN_FALSE, vectors of "
                                          "level 0 alone are in files",
                                          function, member, level, value_text(value).c_str()));
  MultigridFiles files;
  const bool none_sought = param.compute_null_vector == QUDA_COMPUTE_NULL_VECTOR_NO;
  if (param.vec_load[0] || none_sought) {
    const std::string stem = stem_of(function, in_member, param.vec_infile[0]);
    checks.same(in_member, stem.empty());
    if (stem.empty() && none_sought)
      fail(ErrorKind::unsupported,
           text("%s: QudaMultigridParam.compute_null_vector = %s with vec_infile[0] = \"\"; allowed: "
                "QUDA_COMPUTE_NULL_VECTOR_YES, or the stem of a file's name",
                function, value_text(param.compute_null_vector).c_str()));
    if (stem.empty())
      fail(ErrorKind::bad_argument,
           text("%s: QudaMultigridParam.%s = \"\" with vec_load[0] = %s; allowed: the stem of a "
                "file's name",
                function, in_member, value_text(param.vec_load[0]).c_str()));
    files.in = file_of(function, in_member, stem, param.n_vec[0]);
  }
  if (param.vec_store[0]) files.out = output(checks, param, " with vec_store[0] = QUDA_BOOLEAN_TRUE", param.n_vec[0]);
  return files;
}

NamedFile multigrid_dump_file(Checks &checks, const QudaMultigridParam &param, int vectors)
{
  return output(checks, param, "", vectors);
}

void read_multigrid_vectors(const NamedFile &file, const QuarkJob &fine, MultigridForm &form)
{
  MultigridLevel &finest = form.levels[0];
  const auto dirac = make_dirac(fine.dirac, *fine.links, {fine.storage.precision, Reconstruct::none});
  ColorSpinorParam shape = dirac->shape(-1, finest.vectors);
  const LoadedVectors loaded = load_vectors(file, shape, finest.vectors);
  shape.precision = form.precision;
  auto given = std::make_shared<ColorSpinorField>(shape);
  shape.rhs = 1;
  ColorSpinorField one(shape);
  for (int i = 0; i < finest.vectors; i++) {
    one = loaded.fields[static_cast<std::size_t>(i)];
    ColorSpinorField to = given->columns(i, 1);
    blas::copy(to, one);
  }
  given->mark_written();
  finest.given = std::move(given);
}

void write_multigrid_vectors(const NamedFile &file, const Multigrid &hierarchy)
{
  const ColorSpinorField &vectors = hierarchy.vectors();
  ColorSpinorParam shape = vectors.param();
  shape.rhs = 1;
  shape.create = Create::allocate;
  shape.data = nullptr;
  ColorSpinorField one(shape);
  std::vector<ColorSpinorField> kept;
  for (int i = 0; i < vectors.rhs(); i++) {
    blas::copy(one, vectors.columns(i, 1));
    kept.push_back(file_field(shape, vectors.precision()));
    kept.back() = one;
  }
  quda_files::VectorNote note;
  note.matrix = "vectors of multigrid, level 0";
  save_vectors(file, kept, false, note);
}

} // namespace quda
