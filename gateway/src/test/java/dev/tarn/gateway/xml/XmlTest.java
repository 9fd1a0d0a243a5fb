package dev.tarn.gateway.xml;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
        "<!DOCTYPE a [<!ENTIT\u0019 x 'y'>]><a/>",
        "<a>&undeclared;</a>"
      })
  void whatIsNotPlainXmlIsRefused(String document) {
    assertThatThrownBy(() -> read(document)).isInstanceOf(MalformedXmlException.class);
  }

  @Test
  void documentThatIsNotUtf8IsRefusedWithoutAWordOnStandardError() {
    PrintStream standardError = System.err;
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    System.setErr(new PrintStream(written, true, UTF_8));
    try {
      assertThatThrownBy(() -> XmlReader.read("<a>\u00e9</a>".getBytes(ISO_8859_1)))
          .isInstanceOf(MalformedXmlException.class);
    } finally {
      System.setErr(standardError);
    }
    assertThat(written.toString(UTF_8)).isEmpty();
  }

  @Test
  void byteOrderMarkBeforeADocumentIsNothing() throws MalformedXmlException {
    assertThat(read("\uFEFF<?xml version='1.0' encoding='UTF-8'?><a>\u00e9</a>").text())
        .isEqualTo("\u00e9");
  }

  @Test
  void documentWhoseEntitiesGrowIsRefused() {
    StringBuilder laughs = new StringBuilder("<!DOCTYPE a [<!ENTITY l0 'lol'>");
    for (int level = 1; level < 10; level++) {
      String laugh = ("&l" + (level - 1) + ";").repeat(10);
      laughs.append("<!ENTITY l").append(level).append(" '").append(laugh).append("'>");
    }
    String one = "<!DOCTYPE a [<!ENTITY l '" + "lol".repeat(10_000) + "'>";
    assertRefusedCheaply(laughs + "]><a>&l9;</a>");
    assertRefusedCheaply(one + "]><a>" + "&l;".repeat(10_000) + "</a>");
    assertRefusedCheaply(one + "<!ENTITY % p '%p;'>%p;]><a>&l;</a>");
  }

  @ParameterizedTest
  @ValueSource(strings = {"SYSTEM", "PUBLIC 'p'"})
  void nothingOutsideOfADocumentIsRead(String kind, @TempDir Path folder) throws IOException {
    Path secret = Files.writeString(folder.resolve("secret"), "secret");
    String id = kind + " '" + secret.toUri() + "'";
    assertRefusedCheaply("<!DOCTYPE a " + id + "><a/>");
    assertRefusedCheaply("<!DOCTYPE a [<!ENTITY x " + id + ">]><a>&x;</a>");
    assertRefusedCheaply("<!DOCTYPE a [<!ENTITY % x " + id + ">%x;]><a/>");
  }

  @Test
  void elementWithGiantOrCountlessAttributesCostsLittle() throws MalformedXmlException {
    assertThat(read("<a b='" + "c".repeat(1 << 20) + "'/>").name()).isEqualTo("a");
    String attributes =
        IntStream.range(0, 100_000).mapToObj(i -> " a" + i + "=''").collect(Collectors.joining());
    assertRefusedCheaply("<a" + attributes + "/>");
    assertRefusedCheaply("<a" + " b=''".repeat(100_000) + "/>");
  }

  private static void assertRefusedCheaply(String document) {
    byte[] bytes = document.getBytes(UTF_8);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    assertThatThrownBy(() -> XmlReader.read(bytes)).isInstanceOf(MalformedXmlException.class);
    long before = threads.getCurrentThreadAllocatedBytes();
    assertThatThrownBy(() -> XmlReader.read(bytes)).isInstanceOf(MalformedXmlException.class);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before)
        .isLessThan((8 << 20) + 64L * bytes.length);
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

  @Test
  void referencesToExcludedCharactersAreReadAndNothingElseChanges() throws MalformedXmlException {
    String plane16 =
        new String(Character.toChars(0x100000)) + new String(Character.toChars(0x100023));

    assertThat(read("<a>&#x1;&#23;&#xFFFE;&#x41;&#9;" + plane16 + "</a>").text())
        .isEqualTo("\u0001\u0017\uFFFEA\t" + plane16);
    assertThat(read("<a><![CDATA[&#x1;]]>&#x0;</a>").text()).isEqualTo("&#x1;\0");
    assertThat(read("<a>&#x1;<![CDATA[]]>&#x2;<![CDATA[&#x3;]]></a>").text())
        .isEqualTo("\u0001\u0002&#x3;");
    assertRefusedCheaply("<a>&#x1;" + "<![CDATA[".repeat(100_000));
    assertThatThrownBy(() -> read("<a>&#xD800;</a>")).isInstanceOf(MalformedXmlException.class);
    assertThatThrownBy(() -> read("<a>&#x110000;</a>")).isInstanceOf(MalformedXmlException.class);
  }

  private static XmlElement read(String document) throws MalformedXmlException {
    return XmlReader.read(document.getBytes(UTF_8));
  }
}
