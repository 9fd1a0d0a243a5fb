package dev.tarn.gateway.xml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.fuzz.FuzzInput;
import dev.tarn.gateway.fuzz.ParserFuzz;
import java.util.List;
import java.util.Set;

class XmlReaderFuzz extends ParserFuzz {
  XmlReaderFuzz() {
    super(
        texts(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                + "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
                + "<Part><PartNumber>1</PartNumber><ETag>&quot;a54357aff0632cce46d942af68356b38"
                + "&quot;</ETag></Part></CompleteMultipartUpload>",
            "<Delete><Quiet>true</Quiet><Object><Key> a&amp;b &#x10000;é</Key>"
                + "<VersionId>null</VersionId></Object></Delete>",
            "<s:Tagging xmlns:s='urn:x'><s:TagSet><s:Tag><s:Key>k</s:Key><s:Value><![CDATA[<v>]]>"
                + "</s:Value></s:Tag></s:TagSet></s:Tagging>",
            "<!-- c --><?pi data?><a b=\"c\" d='e'><f/> text </a>"),
        Set.of(MalformedXmlException.class));
  }

  @Override
  protected void parse(FuzzInput input) throws MalformedXmlException {
    XmlElement root = XmlReader.read(input.bytes());
    Size size = new Size();
    size.add(root, 1);
    // An element takes at least four bytes, <a/>; a character in UTF-16 text at least one.
    assertThat(size.elements).isLessThanOrEqualTo(input.bytes().length / 4);
    assertThat(size.characters).isLessThanOrEqualTo(input.bytes().length);
    assertThat(size.depth).isLessThanOrEqualTo(16);
  }

  @Override
  protected List<String> vocabulary() {
    return List.of(
        "<!DOCTYPE a SYSTEM 'file:///etc/passwd'>",
        "<!DOCTYPE a [<!ENTITY x 'y'>]>",
        "<!ENTITY x SYSTEM 'http://127.0.0.1:1/'>",
        "&x;",
        "&lt;",
        "&#x10FFFF;",
        "&#xD800;",
        "encoding='UTF-16'",
        "encoding=\"ISO-8859-1\"",
        "version=\"1.1\"",
        " xmlns:p='urn:p' ",
        "p:",
        " a='b'");
  }

  @Override
  protected int allocatedPerByteMax() {
    return 256;
  }

  private static final class Size {
    private int elements;
    private int characters;
    private int depth;

    void add(XmlElement element, int level) {
      elements++;
      characters += element.text().length();
      depth = Math.max(depth, level);
      element.children().forEach(child -> add(child, level + 1));
    }
  }
}
