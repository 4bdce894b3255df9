#include "interface/vector_files.h"

#include "core/error.h"
#include "files/lime.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <chrono>
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

  /// What the first rank does with the file; whatever fails there fails on all.
  template <class Work> void on_root(Communicator &communicator, const NamedFile &file, Work &&work)
  {
    std::exception_ptr mine;
    try {
      if (communicator.rank() == 0) work();
    } catch (const FileError &error) {
      mine = std::make_exception_ptr(
          Error(ErrorKind::file, text("%s: QudaEigParam.%s: %s", file.function, file.member, error.what())));
    } catch (...) {
      mine = std::current_exception();
    }
    try {
      agree(communicator, mine);
    } catch (const Error &error) {
      throw FoundTogether(error.kind(), error.what(), {error.file(), error.line(), error.function()});
    }
  }

  int parity_of(const ColorSpinorParam &like) { return like.subset == SiteSubset::full ? -1 : like.parity; }
  const char *sites_text(int parity) { return parity < 0 ? "all" : parity == 0 ? "even" : "odd"; }

  /// The rank's fields, seen as records of a file's sites.
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
        , bytes_(static_cast<std::size_t>(6 * file.spins * file.precision))
    {
    }

    /// Of the sites from `first` on, those of this rank go to their places in the piece, or come from there.
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
        if (!find(first + i, x)) continue;
        const long long slot = lattice_.slot(x), parity = parity_ < 0 ? slot / half : 0;
        unsigned char *place = piece;
        for (const ColorSpinorField &field : fields_)
          for (int layer = 0; layer < layers_; layer++, place += bytes_) {
            const long long record = (parity * layers_ + layer) * half + slot % half;
            move(static_cast<char *>(field.data()) + record * static_cast<long long>(bytes_), place);
          }
      }
    }

    /// The local coordinates of a file's site, where it is one of this rank's fields.
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

    /// Numbers of the other order of bytes.
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

  /// work(first, sites, piece): all of a file, piece by piece.
  template <class Work> void each_piece(const VectorFile &file, Work work)
  {
    const std::uint64_t all = file.sites(), most = std::max<std::uint64_t>(1, piece_bytes / file.site_bytes());
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
      sums.add(first + i, quda_files::crc32(piece + i * file.site_bytes(), file.site_bytes()));
  }

  /// A file beside its target until it takes its place, or is gone.
  class NewFile
  {
  public:
    explicit NewFile(const std::string &target)
        : target_(target)
        , path_(quda_files::name_beside(
              target, static_cast<std::uint64_t>(getpid()),
              static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count())))
        , output_(std::in_place, path_, target, true)
    {
    }
    ~NewFile()
    {
      if (!done_) unlink(path_.c_str());
    }
    NewFile(const NewFile &) = delete;
    NewFile &operator=(const NewFile &) = delete;

    void append(const void *bytes, std::uint64_t n)
    {
      output_->write(size_, bytes, n);
      size_ += n;
    }
    void finish()
    {
      output_->finish();
      quda_files::rename_durably(path_, target_);
      done_ = true;
    }

  private:
    const std::string target_, path_;
    std::optional<quda_files::OutputFile> output_;
    std::uint64_t size_ = 0;
    bool done_ = false;
  };

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
  const bool root = communicator.rank() == 0;
  VectorFile file;
  file.path = named.path;
  for (int d = 0; d < 4; d++) file.dims[d] = static_cast<int>(one.lattice().global_X()[d]);
  if (parity >= 0 && !inflate) file.dims[0] /= 2;
  file.precision = bytes_of(one.precision());
  file.spins = one.spins();
  file.count = static_cast<int>(fields.size()) * one.layers();
  file.note = note;
  for (int d = 0; d < 4; d++) file.note.lattice[d] = static_cast<int>(one.lattice().global_X()[d]);
  file.note.sites = sites_text(parity);
  file.note.basis = one.spins() == 1 ? "one spin" : "DeGrand-Rossi";

  std::optional<NewFile> output;
  on_root(communicator, named, [&] {
    output.emplace(named.path);
    const std::string head = head_of(file, quda_files::date_of(static_cast<std::uint64_t>(std::time(nullptr))));
    output->append(head.data(), head.size());
  });
  const Sites sites(fields, file);
  quda_files::RotatedSums sums;
  std::exception_ptr failed;
  each_piece(file, [&](std::uint64_t first, std::uint64_t n, std::vector<long long> &piece) {
    auto *const bytes = reinterpret_cast<unsigned char *>(piece.data());
    sites.store(first, n, bytes);
    communicator.sum(piece.data(), static_cast<int>(piece.size())); // every word is one rank's, and zero elsewhere
    if (!root || failed) return;
    try {
      add_sites(sums, file, first, n, bytes);
      output->append(bytes, n * file.site_bytes());
    } catch (const FileError &) {
      failed = std::current_exception();
    }
  });
  on_root(communicator, named, [&] {
    if (failed) std::rethrow_exception(failed);
    file.sums = sums.sums;
    const std::string tail = tail_of(file);
    output->append(tail.data(), tail.size());
    output->finish();
  });
}

LoadedVectors load_vectors(const NamedFile &named, const ColorSpinorParam &like, int count)
{
  Communicator &communicator = like.lattice->communicator();
  const bool root = communicator.rank() == 0;
  VectorFile file;
  std::optional<quda_files::InputFile> input;
  LoadedVectors loaded;
  on_root(communicator, named, [&] {
    file = quda_files::inspect_vectors(named.path);
    check_file(file, like, count);
    input.emplace(named.path);
    if (file.noted) loaded.says = file.note.matrix + ", " + file.note.boundary;
  });
  struct {
    std::array<int, 4> dims;
    int precision, spins, count;
    std::size_t length;
  } told {file.dims, file.precision, file.spins, file.count, loaded.says.size()};
  communicator.broadcast(&told, sizeof told, 0);
  file.dims = told.dims;
  file.precision = told.precision;
  file.spins = told.spins;
  file.count = told.count;
  loaded.says.resize(told.length);
  if (told.length > 0) communicator.broadcast(loaded.says.data(), told.length, 0);

  for (int i = 0; i < count; i++) loaded.fields.push_back(file_field(like, static_cast<Precision>(file.precision)));
  const Sites sites(loaded.fields, file);
  quda_files::RotatedSums sums;
  std::exception_ptr failed;
  each_piece(file, [&](std::uint64_t first, std::uint64_t n, std::vector<long long> &piece) {
    auto *const bytes = reinterpret_cast<unsigned char *>(piece.data());
    if (root && !failed) {
      try {
        input->read(file.data_offset + first * file.site_bytes(), bytes, n * file.site_bytes());
        add_sites(sums, file, first, n, bytes);
      } catch (const FileError &) {
        failed = std::current_exception();
      }
    }
    communicator.broadcast(bytes, n * file.site_bytes(), 0);
    sites.load(first, n, bytes);
  });
  for (ColorSpinorField &field : loaded.fields) field.mark_written();
  on_root(communicator, named, [&] {
    if (failed) std::rethrow_exception(failed);
    if (sums.sums != file.sums)
      quda_files::refuse(named.path, "is damaged: checksums of its numbers are %08x %08x, it says %08x %08x",
                         sums.sums[0], sums.sums[1], file.sums[0], file.sums[1]);
  });
  return loaded;
}

void check_can_be_made(const NamedFile &file)
{
  const auto slash = file.path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : file.path.substr(0, slash + 1);
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    fail(ErrorKind::file, text("%s: QudaEigParam.%s = \"%s\"; no file can be made in %s: %s", file.function,
                               file.member, file.path.c_str(), folder.c_str(), std::strerror(errno)));
}

} // namespace quda
