#include "interface/vector_files.h"

#include "core/error.h"
#include "files/lime.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <exception>
#include <optional>

#include <unistd.h>

namespace quda
{

using quda_files::FileError;
using quda_files::VectorFile;

namespace
{

  constexpr std::uint64_t piece_bytes = 1 << 18;

  /// Runs some ranks' work on their file; a failure there fails on all ranks.
  template <class Work> void on_some(Communicator &communicator, const NamedFile &file, bool here, Work &&work)
  {
    std::exception_ptr mine;
    try {
      if (here) work();
    } catch (const FileError &error) {
      mine = std::make_exception_ptr(
          Error(ErrorKind::file, text("%s: %s.%s: %s", file.function, file.structure, file.member, error.what())));
    } catch (...) {
      mine = std::current_exception();
    }
    try {
      agree(communicator, mine);
    } catch (const Error &error) {
      throw FoundTogether(error.kind(), error.what(), {error.file(), error.line(), error.function()});
    }
  }

  template <class Work> void on_root(Communicator &communicator, const NamedFile &file, Work &&work)
  {
    on_some(communicator, file, communicator.rank() == 0, work);
  }

  bool in_parts(const NamedFile &file, Communicator &communicator) { return file.parts && communicator.size() > 1; }

  int parity_of(const ColorSpinorParam &like) { return like.subset == SiteSubset::full ? -1 : like.parity; }
  const char *sites_text(int parity) { return parity < 0 ? "all" : parity == 0 ? "even" : "odd"; }

  /// The rank's fields as records of a file's sites.
  class Sites
  {
  public:
    Sites(const std::vector<ColorSpinorField> &fields, const VectorFile &file)
        : fields_(fields)
        , file_(file)
        , lattice_(fields[0].lattice())
        , parity_(parity_of(fields[0].param()))
        , halved_(file.dims[0] != lattice_.global_X()[0])
        , layers_(fields[0].layers())
        , bytes_(static_cast<std::size_t>(2 * file.colors * file.spins * file.precision))
    {
    }

    /// Copies this rank's sites from `first` on to their places in the piece, or from there.
    void store(std::uint64_t first, std::uint64_t sites, unsigned char *piece) const
    {
      each(first, sites, piece, [&](char *field, unsigned char *place) { swapped(place, field); });
    }
    void load(std::uint64_t first, std::uint64_t sites, unsigned char *piece) const
    {
      each(first, sites, piece, [&](char *field, unsigned char *place) { swapped(field, place); });
    }

  private:
    template <class Move> void each(std::uint64_t first, std::uint64_t sites, unsigned char *piece, Move move) const
    {
      const long long half = lattice_.volume_cb();
      for (std::uint64_t i = 0; i < sites; i++, piece += file_.site_bytes()) {
        int x[4];
        if (!find(file_.site(first + i), x)) continue;
        const long long slot = lattice_.slot(x), parity = parity_ < 0 ? slot / half : 0;
        unsigned char *place = piece;
        for (const ColorSpinorField &field : fields_)
          for (int layer = 0; layer < layers_; layer++, place += bytes_) {
            const long long record = (parity * layers_ + layer) * half + slot % half;
            move(static_cast<char *>(field.data()) + record * static_cast<long long>(bytes_), place);
          }
      }
    }

    /// Finds the local coordinates of a file's site, if it is one of this rank's.
    bool find(std::uint64_t index, int x[4]) const
    {
      long long global[4];
      for (int d = 0; d < 4; d++) {
        const auto extent = static_cast<std::uint64_t>(file_.dims[d]);
        global[d] = static_cast<long long>(index % extent);
        index /= extent;
      }
      const long long others = global[1] + global[2] + global[3];
      if (halved_) global[0] = 2 * global[0] + ((others + parity_) & 1);
      if (parity_ >= 0 && ((others + global[0]) & 1) != parity_) return false;
      for (int d = 0; d < 4; d++) {
        const long long local = global[d] - lattice_.origin()[d];
        if (local < 0 || local >= lattice_.X(d)) return false;
        x[d] = static_cast<int>(local);
      }
      return true;
    }

    /// Copies numbers with the bytes of each word reversed.
    template <class Word> void swapped_words(void *to, const void *from) const
    {
      for (std::size_t k = 0; k < bytes_; k += sizeof(Word)) {
        Word word;
        std::memcpy(&word, static_cast<const char *>(from) + k, sizeof word);
        word = sizeof word == 8 ? static_cast<Word>(__builtin_bswap64(word))
                                : static_cast<Word>(__builtin_bswap32(static_cast<std::uint32_t>(word)));
        std::memcpy(static_cast<char *>(to) + k, &word, sizeof word);
      }
    }
    void swapped(void *to, const void *from) const
    {
      static_assert(std::endian::native == std::endian::little);
      if (file_.precision == 8)
        swapped_words<std::uint64_t>(to, from);
      else
        swapped_words<std::uint32_t>(to, from);
    }

    const std::vector<ColorSpinorField> &fields_;
    const VectorFile &file_;
    const Lattice &lattice_;
    const int parity_;
    const bool halved_;
    const int layers_;
    const std::size_t bytes_; // of a field's layer at a site
  };

  /// This rank's sites on the lattice of a file, ascending: only those of one parity if the lattice is halved.
  std::vector<std::uint64_t> own_sites(const Lattice &lattice, int parity, const VectorFile &file)
  {
    const bool halved = file.dims[0] != lattice.global_X()[0];
    std::vector<std::uint64_t> all;
    for (long long t = 0; t < lattice.X(3); t++)
      for (long long z = 0; z < lattice.X(2); z++)
        for (long long y = 0; y < lattice.X(1); y++)
          for (long long x = 0; x < lattice.X(0); x++) {
            const long long *const from = lattice.origin();
            const long long at[4] = {from[0] + x, from[1] + y, from[2] + z, from[3] + t};
            if (halved && ((at[0] + at[1] + at[2] + at[3]) & 1) != parity) continue;
            std::uint64_t index = 0;
            for (int d = 3; d >= 0; d--)
              index = index * static_cast<std::uint64_t>(file.dims[static_cast<std::size_t>(d)]) +
                      static_cast<std::uint64_t>(d == 0 && halved ? at[0] / 2 : at[d]);
            all.push_back(index);
          }
    return all; // the index ascends with the coordinates
  }

  /// Combines the checksums of all parts, on all ranks.
  void combine(Communicator &communicator, quda_files::RotatedSums &sums)
  {
    std::array<long long, 64> bits;
    for (std::size_t i = 0; i < bits.size(); i++) bits[i] = sums.sums[i / 32] >> i % 32 & 1;
    communicator.sum(bits.data(), static_cast<int>(bits.size()));
    sums.sums = {};
    for (std::size_t i = 0; i < bits.size(); i++)
      sums.sums[i / 32] |= static_cast<std::uint32_t>(bits[i] & 1) << i % 32;
  }

  /// Calls work(first, sites, piece) on all of a file, piece by piece.
  template <class Work> void each_piece(const VectorFile &file, Work work)
  {
    const std::uint64_t all = file.sites_here(), most = std::max<std::uint64_t>(1, piece_bytes / file.site_bytes());
    std::vector<long long> piece;
    for (std::uint64_t first = 0; first < all; first += most) {
      const std::uint64_t sites = std::min(most, all - first);
      piece.assign(sites * file.site_bytes() / sizeof(long long), 0);
      work(first, sites, piece);
    }
  }

  void add_sites(quda_files::RotatedSums &sums, const VectorFile &file, std::uint64_t first, std::uint64_t sites,
                 const unsigned char *piece)
  {
    for (std::uint64_t i = 0; i < sites; i++)
      sums.add(file.site(first + i), quda_files::crc32(piece + i * file.site_bytes(), file.site_bytes()));
  }

  void check_file(const VectorFile &file, const ColorSpinorParam &like, int count)
  {
    const int parity = parity_of(like), layers = like.fifth * like.flavours;
    const long long *X = like.lattice->global_X();
    bool fits = file.dims[0] == X[0] || (parity >= 0 && 2 * file.dims[0] == X[0]);
    for (int d = 1; d < 4; d++) fits = fits && file.dims[d] == X[d];
    if (!fits)
      quda_files::refuse(file.path, "its lattice is %d %d %d %d, the call's %lld %lld %lld %lld%s", file.dims[0],
                         file.dims[1], file.dims[2], file.dims[3], X[0], X[1], X[2], X[3],
                         parity < 0 ? "" : ", of one parity");
    if (file.spins != like.spins)
      quda_files::refuse(file.path, "its fields have %d spins, the call's %d", file.spins, like.spins);
    if (file.colors != like.colors)
      quda_files::refuse(file.path, "its fields have %d colors, the call's %d", file.colors, like.colors);
    if (file.count != count * layers)
      quda_files::refuse(file.path, "it holds %d fields; n_conv = %d vectors of %d are wanted", file.count, count,
                         layers);
    if (file.noted && file.note.sites != sites_text(parity))
      quda_files::refuse(file.path, "its vectors stand on %s sites, the call's on %s", file.note.sites.c_str(),
                         sites_text(parity));
  }

} // namespace

ColorSpinorField file_field(const ColorSpinorParam &like, Precision precision)
{
  ColorSpinorParam field = like;
  field.rhs = 1;
  field.precision = precision;
  field.order = DiracOrder::dirac;
  field.basis = GammaBasis::degrand_rossi;
  field.location = Location::host;
  field.create = Create::allocate;
  field.data = nullptr;
  return ColorSpinorField(field);
}

void save_vectors(const NamedFile &named, const std::vector<ColorSpinorField> &fields, bool inflate,
                  const quda_files::VectorNote &note)
{
  const ColorSpinorField &one = fields[0];
  const int parity = parity_of(one.param());
  Communicator &communicator = one.lattice().communicator();
  const bool root = communicator.rank() == 0, parts = in_parts(named, communicator), writes = root || parts;
  VectorFile file;
  file.path = parts ? quda_files::name_of_part(named.path, communicator.rank()) : named.path;
  for (int d = 0; d < 4; d++) file.dims[d] = static_cast<int>(one.lattice().global_X()[d]);
  if (parity >= 0 && !inflate) file.dims[0] /= 2;
  file.part = parts;
  if (parts) file.part_sites = own_sites(one.lattice(), parity, file);
  file.precision = bytes_of(one.precision());
  file.spins = one.spins();
  file.colors = one.colors();
  file.count = static_cast<int>(fields.size()) * one.layers();
  file.note = note;
  for (int d = 0; d < 4; d++) file.note.lattice[d] = static_cast<int>(one.lattice().global_X()[d]);
  file.note.sites = sites_text(parity);
  file.note.basis = one.spins() == 1 ? "one spin" : one.spins() == 2 ? "chiralities" : "DeGrand-Rossi";

  std::optional<quda_files::ReplacingFile> output;
  on_some(communicator, named, writes, [&] {
    output.emplace(file.path);
    const std::string head = head_of(file, quda_files::date_of(static_cast<std::uint64_t>(std::time(nullptr))), root);
    output->append(head.data(), head.size());
  });
  const Sites sites(fields, file);
  quda_files::RotatedSums sums;
  std::exception_ptr failed;
  each_piece(file, [&](std::uint64_t first, std::uint64_t n, std::vector<long long> &piece) {
    auto *const bytes = reinterpret_cast<unsigned char *>(piece.data());
    sites.store(first, n, bytes);
    // every word belongs to one rank, and is zero on others
    if (!parts) communicator.sum(piece.data(), static_cast<int>(piece.size()));
    if (!writes || failed) return;
    try {
      add_sites(sums, file, first, n, bytes);
      output->append(bytes, n * file.site_bytes());
    } catch (const FileError &) {
      failed = std::current_exception();
    }
  });
  if (parts) combine(communicator, sums);
  on_some(communicator, named, writes, [&] {
    if (failed) std::rethrow_exception(failed);
    file.sums = sums.sums;
    const std::string tail = tail_of(file, root);
    output->append(tail.data(), tail.size());
  });
  on_some(communicator, named, writes, [&] { output->finish(); });
}

LoadedVectors load_vectors(const NamedFile &named, const ColorSpinorParam &like, int count)
{
  Communicator &communicator = like.lattice->communicator();
  const bool root = communicator.rank() == 0, parts = in_parts(named, communicator), reads = root || parts;
  const std::string path = parts ? quda_files::name_of_part(named.path, communicator.rank()) : named.path;
  VectorFile file;
  std::optional<quda_files::InputFile> input;
  LoadedVectors loaded;
  on_root(communicator, named, [&] {
    file = quda_files::inspect_vectors(path, parts);
    check_file(file, like, count);
    if (file.noted) loaded.says = file.note.matrix + ", " + file.note.boundary;
  });
  struct {
    std::array<int, 4> dims;
    int precision, spins, colors, count;
    std::size_t length;
  } told {file.dims, file.precision, file.spins, file.colors, file.count, loaded.says.size()};
  communicator.broadcast(&told, sizeof told, 0);
  file.dims = told.dims;
  file.precision = told.precision;
  file.spins = told.spins;
  file.colors = told.colors;
  file.count = told.count;
  file.part = parts;
  file.path = path;
  loaded.says.resize(told.length);
  if (told.length > 0) communicator.broadcast(loaded.says.data(), told.length, 0);

  on_some(communicator, named, reads, [&] {
    if (!root) inspect_part(file);
    std::vector<std::uint64_t> sites = file.part_sites;
    std::sort(sites.begin(), sites.end());
    if (parts && sites != own_sites(*like.lattice, parity_of(like), file))
      quda_files::refuse(path, "its sites are not this rank's: parts are read on the grid that they were written on");
    input.emplace(path);
  });

  on_some(communicator, named, true, [&] {
    for (int i = 0; i < count; i++) loaded.fields.push_back(file_field(like, static_cast<Precision>(file.precision)));
  });
  const Sites sites(loaded.fields, file);
  quda_files::RotatedSums sums;
  std::exception_ptr failed;
  each_piece(file, [&](std::uint64_t first, std::uint64_t n, std::vector<long long> &piece) {
    auto *const bytes = reinterpret_cast<unsigned char *>(piece.data());
    if (reads && !failed) {
      try {
        input->read(file.data_offset + first * file.site_bytes(), bytes, n * file.site_bytes());
        add_sites(sums, file, first, n, bytes);
      } catch (const FileError &) {
        failed = std::current_exception();
      }
    }
    if (!parts) communicator.broadcast(bytes, n * file.site_bytes(), 0);
    sites.load(first, n, bytes);
  });
  for (ColorSpinorField &field : loaded.fields) field.mark_written();
  if (parts) combine(communicator, sums);
  on_some(communicator, named, reads, [&] {
    if (failed) std::rethrow_exception(failed);
    if (root && sums.sums != file.sums)
      quda_files::refuse(path, "is damaged: checksums of its numbers are %08x %08x, it says %08x %08x", sums.sums[0],
                         sums.sums[1], file.sums[0], file.sums[1]);
  });
  return loaded;
}

void check_can_be_made(const NamedFile &file)
{
  const auto slash = file.path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : file.path.substr(0, slash + 1);
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    fail(ErrorKind::file, text("%s: %s.%s = \"%s\"; no file can be made in %s: %s", file.function, file.structure,
                               file.member, file.path.c_str(), folder.c_str(), std::strerror(errno)));
}

} // namespace quda
