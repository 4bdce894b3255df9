#include "perambulator_file.h"

#include <bit>
#include <cinttypes>
#include <cmath>
#include <cstdio>

#include "files/lime.h"
#include "files/xml_elements.h"

namespace quda_files
{

namespace
{

  constexpr char note_type[] = "libquda-perambulators", data_type[] = "libquda-perambulator-data";
  constexpr std::uint64_t largest_note = 1 << 20;
  constexpr std::int64_t most_vectors = 1 << 16;
  constexpr int most_extent = 1 << 15;

  std::string note_of(const Perambulators &all)
  {
    std::string xml = std::string(xml_prologue) + "<perambulators><version>1</version>";
    const auto add = [&](const char *tag, const std::string &text) {
      xml.append("<").append(tag).append(">").append(escaped(text)).append("</").append(tag).append(">");
    };
    char numbers[80];
    const auto [x, y, z, t] = all.lattice;
    std::snprintf(numbers, sizeof(numbers), "%d %d %d %d", x, y, z, t);
    add("lattice", numbers);
    add("t_boundary", all.boundary);
    add("matrix", all.matrix);
    add("vectors", all.vectors);
    std::snprintf(numbers, sizeof(numbers), "%x %x", all.vector_sums[0], all.vector_sums[1]);
    add("vector_sums", numbers);
    add("n_vectors", std::to_string(all.n_vectors));
    std::snprintf(numbers, sizeof(numbers), "%.17g", all.residual);
    add("residual", numbers);
    add("basis", "DeGrand-Rossi");
    std::string sources;
    for (const int t0 : all.sources) {
      if (!sources.empty()) sources += ' ';
      sources += std::to_string(t0);
    }
    add("sources", sources);
    return xml + "</perambulators>";
  }

  void read_note(const Elements &xml, Perambulators &all)
  {
    if (xml.get("version") != "1") xml.wrong("version", xml.get("version"));
    if (xml.get("basis") != "DeGrand-Rossi") xml.wrong("basis", xml.get("basis"));
    const std::string lattice = xml.get("lattice"), sums = xml.get("vector_sums"), sources = xml.get("sources");
    const std::vector<std::string> extents = words_of(lattice), two = words_of(sums);
    if (extents.size() != 4) xml.wrong("lattice", lattice);
    for (std::size_t d = 0; d < 4; d++) {
      all.lattice[d] = xml.number<int>("lattice", extents[d], 10);
      if (all.lattice[d] < 1 || all.lattice[d] > most_extent) xml.wrong("lattice", lattice);
    }
    if (two.size() != 2) xml.wrong("vector_sums", sums);
    for (std::size_t i = 0; i < 2; i++) {
      const auto sum = to_hexadecimal(two[i]);
      if (!sum) xml.wrong("vector_sums", sums);
      all.vector_sums[i] = *sum;
    }
    all.boundary = unescaped(xml.get("t_boundary"));
    all.matrix = unescaped(xml.get("matrix"));
    all.vectors = unescaped(xml.get("vectors"));
    all.n_vectors = static_cast<int>(xml.positive("n_vectors", most_vectors));
    all.residual = xml.number<double>("residual", xml.get("residual"), std::chars_format::general);
    for (const std::string &word : words_of(sources)) {
      all.sources.push_back(xml.number<int>("sources", word, 10));
      if (all.sources.back() < 0 || all.sources.back() >= all.lattice[3]) xml.wrong("sources", word);
    }
    if (all.sources.empty() || all.sources.size() > static_cast<std::size_t>(all.lattice[3]))
      xml.wrong("sources", sources);
  }

  /// A source's numbers as bytes of the file.
  std::string bytes_of_column(const Perambulators &all, std::size_t column)
  {
    std::string bytes;
    for (std::size_t k = 0; k < all.of_source(); k++) {
      const std::complex<double> &one = all.numbers[column * all.of_source() + k];
      append_number(bytes, std::bit_cast<std::uint64_t>(one.real()), 8, true);
      append_number(bytes, std::bit_cast<std::uint64_t>(one.imag()), 8, true);
    }
    return bytes;
  }

  std::uint32_t sum_of(const std::string &bytes)
  {
    return crc32(reinterpret_cast<const unsigned char *>(bytes.data()), bytes.size());
  }

} // namespace

void add_site(std::array<std::uint32_t, 2> &vector_sums, std::uint64_t site, const std::vector<double> &numbers)
{
  std::string bytes;
  for (const double number : numbers) append_number(bytes, std::bit_cast<std::uint64_t>(number), 8, true);
  RotatedSums sums {vector_sums};
  sums.add(site, sum_of(bytes));
  vector_sums = sums.sums;
}

void write_perambulators(const std::string &path, const Perambulators &all)
{
  if (all.numbers.size() != all.columns() * all.of_source())
    refuse(path, "%zu numbers are to be written; %zu sources of %zu numbers each are %zu", all.numbers.size(),
           all.columns(), all.of_source(), all.columns() * all.of_source());
  ReplacingFile file(path);
  const auto put = [&](const std::string &bytes) { file.append(bytes.data(), bytes.size()); };
  put(xml_record(note_type, begins, note_of(all)));
  const std::uint64_t length = 16 * all.numbers.size();
  put(record_head(data_type, middle, length));
  RotatedSums sums;
  for (std::size_t column = 0; column < all.columns(); column++) {
    const std::string bytes = bytes_of_column(all, column);
    sums.add(column, sum_of(bytes));
    put(bytes);
  }
  put(padding(length) + xml_record("scidac-checksum", ends, scidac_checksum_xml(sums.sums)));
  file.finish();
}

Perambulators read_perambulators(const std::string &path)
{
  InputFile file(path);
  Perambulators all;
  std::uint64_t at = 0;
  const auto next = [&](const char *type) {
    if (at >= file.size())
      refuse(path, "truncated at byte %" PRIu64 " or no file of perambulators: no record '%s'", file.size(), type);
    const Record record = read_record(file, at);
    if (record.type != type)
      refuse(path, "no file of perambulators: record '%s' at byte %" PRIu64 " where '%s' should be",
             record.type.c_str(), at, type);
    at = end_of(file, record);
    return record;
  };
  const auto xml = [&](const Record &record) {
    const std::string text = read_text(file, record, largest_note);
    return Elements(path, record, text.substr(0, text.find('\0')), "no file of perambulators has");
  };
  read_note(xml(next(note_type)), all);
  const Record data = next(data_type), checksum = next("scidac-checksum");
  const std::uint64_t bytes = 16 * all.of_source();
  if (data.length % bytes != 0 || data.length / bytes != all.columns())
    refuse(path,
           "record '%s' holds %" PRIu64 " bytes; %d vectors, %zu sources and %d time slices have %zu columns of "
           "%" PRIu64,
           data_type, data.length, all.n_vectors, all.sources.size(), all.lattice[3], all.columns(), bytes);
  RotatedSums sums;
  all.numbers.reserve(all.columns() * all.of_source());
  std::string column(bytes, '\0');
  for (std::size_t i = 0; i < all.columns(); i++) {
    file.read(data.data + i * bytes, column.data(), bytes);
    sums.add(i, sum_of(column));
    const auto *const from = reinterpret_cast<const unsigned char *>(column.data());
    for (std::size_t k = 0; k < bytes; k += 16)
      all.numbers.emplace_back(std::bit_cast<double>(load_u64(from + k, true)),
                               std::bit_cast<double>(load_u64(from + k + 8, true)));
  }
  const Elements told = xml(checksum);
  for (std::size_t i = 0; i < 2; i++) {
    const std::string tag = i == 0 ? "suma" : "sumb", word = told.get(tag);
    const auto sum = to_hexadecimal(word);
    if (!sum) told.wrong(tag, word);
    if (*sum != sums.sums[i])
      refuse(path, "is damaged: checksum %s of its numbers is %x, it says %x", tag.c_str(), sums.sums[i], *sum);
  }
  return all;
}

} // namespace quda_files
