package dev.tarn.gateway.s3.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.CorsRule;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.fuzz.FuzzInput;
import dev.tarn.gateway.fuzz.ParserFuzz;
import dev.tarn.gateway.xml.MalformedXmlException;
import dev.tarn.gateway.xml.XmlReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is stored is shown as a document that means the same; and what a page is told follows from
 * the rules in the plainest way, and can be sent in headers.
 */
class CorsFuzz extends ParserFuzz {
  private static final List<String> ORIGINS =
      List.of(
          "*",
          "null",
          "https://*.example.org",
          "https://a.example.org",
          "http://*",
          "https://a*",
          "*org",
          "https://.example.org");

  private static final List<String> METHODS = List.of("GET", "PUT", "HEAD", "POST", "DELETE");

  private static final List<String> HEADERS =
      List.of("*", "x-amz-*", "X-Amz-Date", "content-type", "*-type", "a*b");

  CorsFuzz() {
    super(
        texts(
            """
            <CORSConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><CORSRule><ID>a</ID>
            <AllowedOrigin>https://*.example.org</AllowedOrigin><AllowedMethod>GET</AllowedMethod>
            <AllowedHeader>x-amz-*</AllowedHeader><ExposeHeader>ETag</ExposeHeader>
            <MaxAgeSeconds>3000</MaxAgeSeconds></CORSRule></CORSConfiguration>
            """,
            """
            <CORSConfiguration><CORSRule><AllowedOrigin>*</AllowedOrigin>
            <AllowedMethod>PUT</AllowedMethod><AllowedMethod>GET</AllowedMethod></CORSRule><CORSRule>
            <AllowedMethod>HEAD</AllowedMethod><AllowedOrigin>null</AllowedOrigin></CORSRule>
            </CORSConfiguration>
            """),
        Set.of(S3Exception.class, MalformedXmlException.class));
  }

  @Override
  protected void parse(FuzzInput input) throws MalformedXmlException {
    List<CorsRule> rules = read(input.bytes());
    assertThat(read(CorsDocument.write(rules))).isEqualTo(rules);

    SplittableRandom random = input.random();
    String origin = one(ORIGINS, random);
    String method = one(METHODS, random);
    List<String> names = random.nextBoolean() ? List.of() : List.of(one(HEADERS, random), "a-b");
    Optional<CorsAnswer> answer = CorsAnswer.find(rules, origin, method, names);
    Optional<CorsRule> expected =
        rules.stream().filter(rule -> allows(rule, origin, method, names)).findFirst();
    assertThat(answer.map(CorsAnswer::rule)).isEqualTo(expected);
    answer.ifPresent(found -> {
      assertThat(found.allowedOrigin()).isIn(origin, "*");
      for (CharSequence text : found.headers()) {
        assertThat(text.chars()).allMatch(character -> character >= ' ' && character <= '~');
      }
    });
  }

  private static List<CorsRule> read(byte[] document) throws MalformedXmlException {
    try {
      return CorsDocument.read(XmlReader.read(document));
    } catch (S3Exception e) {
      assertThat(e.code()).isIn(S3ErrorCode.MALFORMED_XML, S3ErrorCode.INVALID_REQUEST);
      throw e;
    }
  }

  private static boolean allows(CorsRule rule, String origin, String method, List<String> headers) {
    return rule.allowedMethods().contains(method)
        && rule.allowedOrigins().stream().anyMatch(pattern -> fits(pattern, origin))
        && headers.stream()
            .allMatch(name ->
                rule.allowedHeaders().stream()
                    .anyMatch(pattern ->
                        fits(pattern.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT))));
  }

  private static boolean fits(String pattern, String text) {
    return Pattern.matches(Pattern.quote(pattern).replace("*", "\\E.*\\Q"), text);
  }

  @Override
  protected byte @Nullable [] valid(SplittableRandom random) {
    if (random.nextBoolean()) {
      return null;
    }
    StringBuilder xml = new StringBuilder("<CORSConfiguration>");
    do {
      xml.append("<CORSRule>");
      if (random.nextInt(4) == 0) {
        xml.append("<ID> r&amp;1 </ID>");
      }
      elements(xml, "AllowedOrigin", ORIGINS, 1, random);
      elements(xml, "AllowedHeader", HEADERS, 0, random);
      elements(xml, "AllowedMethod", METHODS, 1, random);
      elements(xml, "ExposeHeader", List.of("ETag", "x-amz-version-id"), 0, random);
      if (random.nextInt(4) == 0) {
        xml.append("<MaxAgeSeconds> ").append(random.nextInt() >>> 1).append("</MaxAgeSeconds>\n");
      }
      xml.append("</CORSRule>");
    } while (random.nextBoolean());
    return xml.append("</CORSConfiguration>").toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void elements(
      StringBuilder xml, String name, List<String> from, int countMin, SplittableRandom random) {
    int count = countMin + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      xml.append('<').append(name).append('>');
      xml.append(one(from, random));
      xml.append("</").append(name).append('>');
    }
  }

  private static String one(List<String> from, SplittableRandom random) {
    return from.get(random.nextInt(from.size()));
  }

  @Override
  protected List<String> vocabulary() {
    return List.of(
        "<CORSRule>",
        "</CORSRule>",
        "<AllowedOrigin>",
        "</AllowedOrigin>",
        "<AllowedMethod>OPTIONS</AllowedMethod>",
        "<AllowedHeader>*</AllowedHeader>",
        "<MaxAgeSeconds>",
        "<ID>",
        "**",
        "&#13;&#10;",
        "*");
  }

  @Override
  protected int allocatedPerByteMax() {
    return 512;
  }
}
