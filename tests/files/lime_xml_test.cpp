// LIME files as other programs write them: XML in every form that says the same, and messages without flags.

#include "made_files.h"

using LimeXml = GaugeFileTest;

namespace
{

using Change = std::array<std::string, 2>;

Bytes changed(const std::vector<Change> &changes, bool ildg = true)
{
  LimeOptions options;
  options.changes = changes;
  options.ildg = ildg;
  return lime_file(shape, options);
}

const std::string decoy = "<lx>99</lx><dims>99 99 99 99</dims><suma>1</suma>";

} // namespace

TEST_F(LimeXml, NamesCountWithoutPrefixesAndAttributes)
{
  expect_read(changed({{"<lx>", "<ildg:lx>"}, {"</lx>", "</ildg:lx>"}}));
  expect_read(changed({{"<ildgFormat>", "<i:ildgFormat xmlns:i=\"http://www.lqcd.org/ildg\">"},
                       {"</ildgFormat>", "</i:ildgFormat>"},
                       {"<precision>64</precision>", "<i:precision>64</i:precision>"},
                       {"<lt>8</lt>", "<i:lt>8</i:lt>"}}));
  expect_read(changed({{"<lx>", "<lx unit=\"sites\">"}, {"<dims>", "<dims n='4'>"}, {"<suma>", "<suma a=\"<b>\">"}}));
  for (bool ildg : {true, false})
    expect_read(changed({{"<dims>", "<s:dims>"},
                         {"</dims>", "</s:dims>"},
                         {"<datacount>", "<s:datacount  >"},
                         {"</datacount>", "</s:datacount\n>"},
                         {"<sumb>", "<s:sumb>"},
                         {"</sumb>", "</s:sumb>"}},
                        ildg));
}

TEST_F(LimeXml, ValuesInOtherForms)
{
  expect_read(changed({{"<lx>4</lx>", "<lx>\r\n  +4\t</lx>"}, {"<ly>2", "<ly>&#50;"}, {"<lz>6", "<lz><![CDATA[6]]>"}}));
  expect_read(changed({{"<dims>4 2 6 8 </dims>", "<dims>\n4\n2 <!-- z -->\t6 8</dims>"}}, false));
  expect_read(changed({{"<suma>", "<suma>0x"}, {"<sumb>", "<sumb>0X"}}));
  expect_read(changed({{"<ildgFormat>", "<grid><ildgFormat>"}, {"</ildgFormat>", "</ildgFormat></grid>"}}));
  expect_read(changed({{"<ildgFormat>", "\xef\xbb\xbf<?xml version=\"1.0\"?>\n<!DOCTYPE ildgFormat>\n<ildgFormat>"}}));
  expect_read(changed({{"</ildgFormat>", std::string("</ildgFormat>\0\0<lx>99</lx>", 26)}}));
}

TEST_F(LimeXml, WhatIsNoElementOfTheDocument)
{
  for (const std::string &hidden : {"<!-- " + decoy + " -->", "<note>" + decoy + "</note>", "<![CDATA[" + decoy + "]]>",
                                    "<?note " + decoy + "?>", "<note lx='" + decoy + "'/>"})
    for (bool ildg : {true, false})
      expect_read(
          changed({{ildg ? "<ildgFormat>" : "<spacetime>", ildg ? "<ildgFormat>" + hidden : hidden + "<spacetime>"},
                   {"<scidacChecksum>", "<scidacChecksum>" + hidden}},
                  ildg));
}

TEST_F(LimeXml, ElementsThatMayBeAbsent)
{
  expect_read(changed({{"<field>su3gauge</field>", ""}}));
  expect_read(changed({{"<spacetime>4</spacetime>", ""}, {"<volfmt>0</volfmt>", ""}, {"<date>today</date>", ""}}));
  expect_refused(changed({{"<field>su3gauge", "<field>su4gauge"}}), "'ildg-format' has <field> 'su4gauge'");
  expect_refused(changed({{"<lx>4</lx>", ""}}), "LIME record 'ildg-format' has no element <lx>");
  // a site's links counted as one thing
  expect_read(changed({{"<typesize>144", "<typesize>576"}, {"<datacount>4", "<datacount>1"}}));
  expect_refused(changed({{"<datacount>4", "<datacount>1"}}), "a site has 1 times 144 bytes");
}

TEST_F(LimeXml, ATagWhoseAttributesAreDamaged)
{
  // MILC's lat.sample.l4448.foreign begins so, and has no field
  expect_read(changed({{"<ildgFormat><field>su3gauge</field>",
                        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><ildgFormat xmlns=\"http://www.lqcd.org/ildg\" "
                        "xsi:schemaLocation=\"http://www.lqcd.org/ildg filefmt.xsd><version>1.0</version>"}}));
  expect_read(changed({{"<ildgFormat>", "<ildgFormat a=\"b\"c=\"d\">"}}));
  expect_refused(changed({{"<lx>4</lx>", "<lx a=\"b>4</lx><note a=\"b>c</note>"}}), "'ildg-format' is not XML: ");
  expect_refused(changed({{"<lx>4</lx>", "<lx a=\"b"}}), "'ildg-format'");
}

TEST_F(LimeXml, ElementsGivenTwice)
{
  expect_read(changed({{"<lx>4</lx>", "<lx>4</lx><ildg:lx> 4 </ildg:lx>"}}));
  expect_refused(changed({{"<lx>4</lx>", "<lx>4</lx><lx>2</lx>"}}), "LIME record 'ildg-format' has <lx> '4' and '2'");
}

TEST_F(LimeXml, WhatIsNotXmlIsRefused)
{
  expect_refused(changed({{"</lx>", "</ly>"}}), "LIME record 'ildg-format' is not XML: ");
  expect_refused(changed({{"</scidacFile>", ""}}), "LIME record 'scidac-private-file-xml' is not XML: ");
  expect_refused(changed({{"<suma>", "<suma"}}), "LIME record 'scidac-checksum' is not XML: ");
}

TEST_F(LimeXml, HostileDocuments)
{
  // entities of entities: never expanded, and refused where they are a value
  std::string bomb = "<!DOCTYPE b [<!ENTITY a0 \"4\">";
  for (int i = 1; i < 40; i++) {
    const std::string entity = "&a" + std::to_string(i - 1) + ";";
    bomb += "<!ENTITY a" + std::to_string(i) + " \"" + entity + entity + entity + entity + "\">";
  }
  bomb += "]><ildgFormat><note>&a39;</note>";
  expect_read(changed({{"<ildgFormat>", bomb}}));
  expect_refused(changed({{"<ildgFormat>", bomb}, {"<lx>4", "<lx>&a39;"}}), "<lx> '&a39;', which is not understood");
  // deep and wide
  std::string deep, wide;
  for (int i = 0; i < 8000; i++) deep += "<a>";
  expect_refused(changed({{"<ildgFormat>", "<ildgFormat>" + deep}}), "is not XML");
  for (int i = 0; i < 8000; i++) deep += "</a>";
  expect_read(changed({{"<ildgFormat>", "<ildgFormat>" + deep}}));
  for (int i = 0; i < 16000; i++) wide += "<a/>";
  expect_read(changed({{"<ildgFormat>", "<ildgFormat>" + wide}}));
}

TEST_F(LimeXml, MessagesWithoutFlags)
{
  for (bool ildg : {true, false})
    for (bool checksum : {true, false}) {
      LimeOptions options;
      options.ildg = ildg;
      options.checksum = checksum;
      options.flags = false;
      const Bytes bytes = lime_file(shape, options);
      expect_read(bytes);
      expect_refused(Bytes(bytes.begin(), bytes.end() - 200), "truncated at byte");
    }
}
