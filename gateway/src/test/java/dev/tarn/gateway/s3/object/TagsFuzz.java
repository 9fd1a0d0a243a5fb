package dev.tarn.gateway.s3.object;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.fuzz.FuzzInput;
import dev.tarn.gateway.fuzz.ParserFuzz;
import dev.tarn.gateway.request.Headers;
import dev.tarn.gateway.request.PercentEncoding;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Tags mean the same in a document, in a header, and in the document that shows them. */
class TagsFuzz extends ParserFuzz {
  private static final List<String> VALUES =
      List.of("", "v", " v ", "a=b+c", "é", "&#x10000;", "<![CDATA[@v]]>", "+-/");

  TagsFuzz() {
    super(
        texts(
            "<Tagging><TagSet/></Tagging>",
            """
            <Tagging xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><TagSet>
            <Tag><Key>k</Key><Value>v</Value></Tag><Tag><Value/><Key> l </Key></Tag>
            </TagSet></Tagging>
            """),
        Set.of(S3Exception.class));
  }

  @Override
  protected void parse(FuzzInput input) {
    boolean ofObject = input.random().nextBoolean();
    Map<String, String> tags = read(input.bytes(), ofObject);
    assertThat(tags).hasSizeLessThanOrEqualTo(ofObject ? 10 : 50);
    tags.forEach((key, value) -> {
      assertThat(key).hasSizeBetween(1, 128).doesNotStartWith("aws:");
      assertThat(value).hasSizeLessThanOrEqualTo(256);
    });
    assertThat(read(Tags.document(tags), ofObject)).isEqualTo(tags);
    if (ofObject) {
      String header =
          tags.entrySet().stream()
              .map(tag ->
                  PercentEncoding.encode(tag.getKey())
                      + "="
                      + PercentEncoding.encode(tag.getValue()))
              .collect(Collectors.joining("&"));
      assertThat(Tags.ofHeader(Headers.of("x-amz-tagging", header))).isEqualTo(tags);
    }
  }

  private static Map<String, String> read(byte[] document, boolean ofObject) {
    try {
      return ofObject ? Tags.ofObject(document) : Tags.ofBucket(document);
    } catch (S3Exception e) {
      assertThat(e.code()).isIn(S3ErrorCode.MALFORMED_XML, S3ErrorCode.INVALID_TAG);
      throw e;
    }
  }

  @Override
  protected byte @Nullable [] valid(SplittableRandom random) {
    if (random.nextBoolean()) {
      return null;
    }
    StringBuilder xml = new StringBuilder("<Tagging><TagSet>");
    int count = random.nextInt(11);
    for (int i = 0; i < count; i++) {
      String value = VALUES.get(random.nextInt(VALUES.size()));
      String key = i + VALUES.get(random.nextInt(VALUES.size()));
      xml.append("<Tag><Key>").append(key).append("</Key><Value>");
      xml.append(value).append("</Value></Tag>");
    }
    return xml.append("</TagSet></Tagging>").toString().getBytes(UTF_8);
  }

  @Override
  protected List<String> vocabulary() {
    return List.of(
        "<Tag>",
        "</Tag>",
        "<TagSet>",
        "<Key>",
        "</Key>",
        "<Value>",
        "aws:",
        "<Tag><Key>a</Key><Value>b</Value></Tag>",
        "&lt;",
        "&#13;",
        "&#x10000;");
  }

  @Override
  protected int allocatedPerByteMax() {
    return 512;
  }
}
