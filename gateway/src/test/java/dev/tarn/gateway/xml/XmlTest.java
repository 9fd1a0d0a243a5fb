package dev.tarn.gateway.xml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class XmlTest {
  @Test
  void namespacesAndPrefixesAreIgnored() throws MalformedXmlException {
    XmlElement root =
        read("<s:Delete xmlns:s='urn:x'><s:Object><s:Key> a&amp;b </s:Key></s:Object></s:Delete>");

    assertThat(root.name()).isEqualTo("Delete");
    assertThat(root.children("Object").getFirst().childVerbatim("Key")).contains(" a&b ");
    assertThat(root.children("Object").getFirst().childText("Key")).contains("a&b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "no xml",
        "<a>",
        "<a></b>",
        "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>",
        "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>",
        "<a>&undeclared;</a>"
      })
  void whatIsNotPlainXmlIsRefused(String document) {
    assertThatThrownBy(() -> read(document)).isInstanceOf(MalformedXmlException.class);
  }

  @Test
  void documentThatIsTooDeepIsRefused() {
    assertThatThrownBy(() -> read("<a>".repeat(100) + "</a>".repeat(100)))
        .isInstanceOf(MalformedXmlException.class)
        .hasMessageContaining("deeper");
  }

  @Test
  void documentWithTooManyElementsIsRefused() {
    assertThatThrownBy(() -> read("<a>" + "<b/>".repeat(200_000) + "</a>"))
        .isInstanceOf(MalformedXmlException.class)
        .hasMessageContaining("more than");
  }

  @Test
  void charactersThatXmlCannotCarryBecomeNumericReferences() {
    String written =
        new String(
            XmlWriter.plainDocument("a").element("k", "<&>\"\u0001\r\uFFFE é").close("a").bytes(),
            UTF_8);

    assertThat(written)
        .endsWith("<a><k>&lt;&amp;&gt;&quot;&#x1;&#xd;&#xfffe; é</k></a>")
        .startsWith("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  }

  private static XmlElement read(String document) throws MalformedXmlException {
    return XmlReader.read(document.getBytes(UTF_8));
  }
}
