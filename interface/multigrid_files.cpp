#include "interface/multigrid_files.h"

#include "comms/found_together.h"
#include "dirac/make_dirac.h"
#include "interface/params/param_table.h"
#include "multigrid/gathering.h"
#include "ops/blas/blas.h"
#include "ops/multigrid/rows.h"

#include <cstring>

namespace quda
{

namespace
{

  using P = QudaMultigridParam;

  /// Name of a level's member, "vec_infile[1]", valid as long as the library lives.
  const char *member_of(const char *const (&names)[QUDA_MAX_MG_LEVEL], int level) { return names[level]; }
  constexpr const char *in_members[QUDA_MAX_MG_LEVEL] = {"vec_infile[0]", "vec_infile[1]", "vec_infile[2]",
                                                         "vec_infile[3]", "vec_infile[4]"},
                       *out_members[QUDA_MAX_MG_LEVEL] = {"vec_outfile[0]", "vec_outfile[1]", "vec_outfile[2]",
                                                          "vec_outfile[3]", "vec_outfile[4]"};

  std::string stem_of(const char *function, const char *member, const char (&name)[256])
  {
    if (!std::memchr(name, 0, sizeof name))
      fail(ErrorKind::bad_argument,
           text("%s: QudaMultigridParam.%s = \"%.20s...\"; allowed: up to 255 characters and a "
                "zero after them",
                function, member, name));
    return name;
  }

  NamedFile file_of(const char *function, const char *member, const std::string &stem, int level, int vectors,
                    bool parts)
  {
    return {function, member, stem + text("_level_%d_nvec_%d", level, vectors), "QudaMultigridParam", parts};
  }

  /// with: the member that requires a name; null if an empty name means no file.
  std::optional<NamedFile> output(Checks &checks, const P &param, int level, const char *with, int vectors)
  {
    const char *function = checks.function, *member = member_of(out_members, level);
    const std::string stem = stem_of(function, member, param.vec_outfile[level]);
    checks.same(member, stem.empty());
    if (stem.empty() && !with) return std::nullopt;
    if (stem.empty())
      fail(ErrorKind::bad_argument,
           text("%s: QudaMultigridParam.%s = \"\"%s; allowed: the stem of a file's name", function, member, with));
    check(checks, param, between(level, level + 1, &P::mg_vec_partfile));
    NamedFile file = file_of(function, member, stem, level, vectors, param.mg_vec_partfile[level]);
    if (file.parts || default_communicator()->rank() == 0) check_can_be_made(file);
    return file;
  }

  /// Level n's lattice, on the rank's copy of it. Collective if the level is gathered.
  std::shared_ptr<const Lattice> lattice_of(const MultigridForm &form, const Lattice &fine, int n)
  {
    std::shared_ptr<const Lattice> lattice;
    for (int m = 0; m < n; m++)
      lattice = coarse_grid(m == 0 ? fine : *lattice, form.levels[static_cast<std::size_t>(m)].block).lattice;
    return lattice;
  }

  /// Shape of a coarse grid's vectors in the host's memory; plain: a lattice of sites with its extents.
  ColorSpinorParam shape_in_files(std::shared_ptr<const Lattice> plain, int rows, Precision precision)
  {
    ColorSpinorParam shape;
    shape.lattice = std::move(plain);
    shape.precision = precision;
    shape.spins = 2;
    shape.colors = rows / 2;
    return shape;
  }

  void read_finest(const NamedFile &file, const QuarkJob &fine, MultigridForm &form)
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

  void read_rows(const NamedFile &file, const QuarkJob &fine, MultigridForm &form, int n)
  {
    MultigridLevel &level = form.levels[static_cast<std::size_t>(n)];
    const int rows = 2 * form.levels[static_cast<std::size_t>(n) - 1].vectors, count = level.vectors;
    const auto lattice = lattice_of(form, fine.links->precise().lattice(), n);
    const auto plain = Lattice::create(lattice->X(), lattice->shared_communicator(), 1);
    LoadedVectors loaded;
    const auto load = [&] { loaded = load_vectors(file, shape_in_files(plain, rows, Precision::double_), count); };
    Communicator &everyone = fine.links->precise().lattice().communicator();
    if (&lattice->communicator() == &everyone)
      load();
    else // by each copy of the level
      parts_together(everyone, load);
    const auto sites = static_cast<std::size_t>(plain->volume());
    RowArray all(sites * static_cast<std::size_t>(count * rows));
    for (std::size_t i = 0; i < loaded.fields.size(); i++)
      for (std::size_t x = 0; x < sites; x++)
        for (int r = 0; r < rows; r++) {
          const auto take = [&](const auto *from) {
            const auto *z = from + 2 * (x * static_cast<std::size_t>(rows) + static_cast<std::size_t>(r));
            all[(x * loaded.fields.size() + i) * static_cast<std::size_t>(rows) + static_cast<std::size_t>(r)] = {z[0],
                                                                                                                  z[1]};
          };
          const ColorSpinorField &field = loaded.fields[i];
          if (field.precision() == Precision::double_)
            take(static_cast<const double *>(field.data()));
          else
            take(static_cast<const float *>(field.data()));
        }
    level.given_rows = std::make_shared<const RowArray>(std::move(all));
  }

  void write_finest(const NamedFile &file, const ColorSpinorField &vectors, const quda_files::VectorNote &note)
  {
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
    save_vectors(file, kept, false, note);
  }

  void write_rows(const NamedFile &file, const ColorSpinorField &vectors, int rows, const quda_files::VectorNote &note)
  {
    const Lattice &lattice = vectors.lattice();
    const ColorSpinorParam shape =
        shape_in_files(Lattice::create(lattice.X(), lattice.shared_communicator(), 1), rows, vectors.precision());
    std::vector<ColorSpinorField> kept;
    for (int i = 0; i < vectors.rhs(); i++) {
      kept.push_back(file_field(shape, vectors.precision()));
      const RowArray numbers = to_host(vectors.columns(i, 1), rows);
      const auto put = [&](auto *to) {
        for (const std::complex<double> &z : numbers) {
          *to++ = static_cast<std::remove_reference_t<decltype(*to)>>(z.real());
          *to++ = static_cast<std::remove_reference_t<decltype(*to)>>(z.imag());
        }
      };
      if (vectors.precision() == Precision::double_)
        put(static_cast<double *>(kept.back().data()));
      else
        put(static_cast<float *>(kept.back().data()));
      kept.back().mark_written();
    }
    save_vectors(file, kept, false, note);
  }

} // namespace

MultigridFiles multigrid_files(Checks &checks, const QudaMultigridParam &param)
{
  const char *function = checks.function;
  const int lower = param.n_level - 1;
  check(checks, param, &P::compute_null_vector, first(lower, &P::vec_load), first(lower, &P::vec_store));
  MultigridFiles files;
  const bool none_sought = param.compute_null_vector == QUDA_COMPUTE_NULL_VECTOR_NO;
  for (int level = 0; level < lower; level++) {
    files.in.emplace_back();
    files.out.emplace_back();
    const char *const member = member_of(in_members, level);
    if (param.vec_load[level] || none_sought) {
      const std::string stem = stem_of(function, member, param.vec_infile[level]);
      checks.same(member, stem.empty());
      if (stem.empty() && none_sought && level == 0)
        fail(ErrorKind::unsupported,
             text("%s: QudaMultigridParam.compute_null_vector = %s with vec_infile[0] = \"\"; allowed: "
                  "QUDA_COMPUTE_NULL_VECTOR_YES, or the stem of a file's name",
                  function, value_text(param.compute_null_vector).c_str()));
      if (stem.empty() && param.vec_load[level])
        fail(ErrorKind::bad_argument,
             text("%s: QudaMultigridParam.%s = \"\" with vec_load[%d] = %s; allowed: the stem of a "
                  "file's name",
                  function, member, level, value_text(param.vec_load[level]).c_str()));
      if (!stem.empty()) {
        check(checks, param, between(level, level + 1, &P::mg_vec_partfile));
        files.in.back() = file_of(function, member, stem, level, param.n_vec[level], param.mg_vec_partfile[level]);
      }
    }
    if (param.vec_store[level])
      files.out.back() = output(checks, param, level, text(" with vec_store[%d] = QUDA_BOOLEAN_TRUE", level).c_str(),
                                param.n_vec[level]);
  }
  return files;
}

MultigridFiles multigrid_dump_files(Checks &checks, const QudaMultigridParam &param, const MultigridForm &form)
{
  MultigridFiles files;
  for (std::size_t n = 0; n + 1 < form.levels.size(); n++)
    files.out.push_back(output(checks, param, static_cast<int>(n), n == 0 ? "" : nullptr, form.levels[n].vectors));
  return files;
}

void read_multigrid_vectors(const MultigridFiles &files, const QuarkJob &fine, MultigridForm &form)
{
  for (std::size_t n = 0; n < files.in.size(); n++) {
    if (!files.in[n]) continue;
    if (n == 0)
      read_finest(*files.in[n], fine, form);
    else
      read_rows(*files.in[n], fine, form, static_cast<int>(n));
  }
}

void write_multigrid_vectors(const MultigridFiles &files, const Multigrid &hierarchy)
{
  for (std::size_t n = 0; n < files.out.size(); n++) {
    if (!files.out[n]) continue;
    quda_files::VectorNote note;
    note.matrix = text("vectors of multigrid, level %zu", n);
    const ColorSpinorField &vectors = hierarchy.vectors(static_cast<int>(n));
    if (n == 0)
      write_finest(*files.out[n], vectors, note);
    else
      hierarchy.once(static_cast<int>(n),
                     [&] { write_rows(*files.out[n], vectors, 2 * hierarchy.form().levels[n - 1].vectors, note); });
  }
}

} // namespace quda
