#include "gauge_file_write.h"

#include <cinttypes>
#include <cstdarg>
#include <cstdio>

namespace quda_files
{

namespace
{
  std::string text(const char *format, ...) __attribute__((format(printf, 1, 2)));
  std::string text(const char *format, ...)
  {
    char buffer[1024];
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(buffer, sizeof(buffer), format, arguments);
    va_end(arguments);
    return buffer;
  }

  std::string ildg_format(const GaugeFile &file)
  {
    return xml_prologue +
           text("<ildgFormat xmlns=\"http://www.lqcd.org/ildg\" "
                "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
                "xsi:schemaLocation=\"http://www.lqcd.org/ildg filefmt.xsd\"><version>1.0</version>"
                "<field>su3gauge</field><precision>%d</precision><lx>%d</lx><ly>%d</ly><lz>%d</lz><lt>%d</lt>"
                "</ildgFormat>",
                8 * file.precision, file.dims[0], file.dims[1], file.dims[2], file.dims[3]);
  }

  ScidacRecord links_record(const GaugeFile &file)
  {
    const char letter = file.precision == 4 ? 'F' : 'D';
    return {file.stamp, text("QDP_%c3_ColorMatrix", letter), file.precision, 0, 18 * file.precision, 4};
  }

  // The lattice in its own message, then the links with their description.
  Frame lime_frame(const GaugeFile &file, const std::string &label)
  {
    const std::string title = std::string(xml_prologue) + "<title>" + escaped(label) + "</title>";
    const bool ildg = file.format == Format::ildg;
    Frame frame;
    frame.head = xml_record("scidac-private-file-xml", begins, scidac_file_xml(file.dims)) +
                 xml_record("scidac-file-xml", ends, title) +
                 xml_record("scidac-private-record-xml", begins, scidac_record_xml(links_record(file))) +
                 xml_record("scidac-record-xml", middle, title);
    if (ildg) frame.head += xml_record("ildg-format", middle, ildg_format(file));
    frame.head += record_head(ildg ? "ildg-binary-data" : "scidac-binary-data", middle, file.data_bytes);
    frame.tail = padding(file.data_bytes) + xml_record("scidac-checksum", ends, scidac_checksum_xml(file.stored));
    return frame;
  }

  Frame milc_frame(const GaugeFile &file)
  {
    std::string head;
    auto put = [&](std::uint32_t value) { append_number(head, value, 4, file.big_endian); };
    put(milc_magics[0].first);
    for (int extent : file.dims) put(static_cast<std::uint32_t>(extent));
    head += file.stamp.substr(0, 63);
    head.resize(84, '\0');
    put(0); // natural order of sites
    for (std::uint32_t sum : file.stored) put(sum);
    return {head, ""};
  }

  // Numbers in fields of fixed width.
  Frame nersc_frame(const GaugeFile &file, const std::string &label)
  {
    std::string head = std::string(nersc_begin) + "\nHDR_VERSION = 1.0\nSTORAGE_FORMAT = 1.0\n";
    head += text("DATATYPE = 4D_SU3_GAUGE%s\n", file.rows == 3 ? "_3x3" : "");
    for (int d = 0; d < 4; d++) head += text("DIMENSION_%d = %d\n", d + 1, file.dims[d]);
    head +=
        text("LINK_TRACE = %-17.10g\nPLAQUETTE = %-17.10g\n", file.link_trace.value_or(0), file.plaquette.value_or(0));
    for (int d = 0; d < 4; d++) head += text("BOUNDARY_%d = PERIODIC\n", d + 1);
    head += text("CHECKSUM = %08" PRIx32 "\n", file.stored[0]);
    head += "ENSEMBLE_ID = 0\nENSEMBLE_LABEL = " + label + "\nSEQUENCE_NUMBER = 0\nCREATOR = libquda\n";
    head += "CREATION_DATE = " + file.stamp + "\nARCHIVE_DATE = " + file.stamp + "\n";
    head += text("FLOATING_POINT = IEEE%d%s\nEND_HEADER\n", 8 * file.precision, file.big_endian ? "BIG" : "LITTLE");
    return {head, ""};
  }
} // namespace

Frame frame_of(const GaugeFile &file, const std::string &label)
{
  if (file.format == Format::milc_v5) return milc_frame(file);
  if (file.format == Format::nersc) return nersc_frame(file, label);
  return lime_frame(file, label);
}

} // namespace quda_files
