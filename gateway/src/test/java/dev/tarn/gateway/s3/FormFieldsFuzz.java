package dev.tarn.gateway.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.User;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.fixtures.MemoryControlPlane;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.fuzz.FuzzInput;
import dev.tarn.gateway.fuzz.ParserFuzz;
import dev.tarn.gateway.payload.PayloadDecoders;
import dev.tarn.gateway.request.Headers;
import dev.tarn.gateway.s3.form.FormDecoder;
import dev.tarn.gateway.s3.form.FormFields;
import dev.tarn.gateway.s3.object.ObjectHeaders;
import dev.tarn.gateway.s3.object.Tags;
import dev.tarn.gateway.s3.object.WriteParameters;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** What the fields of a form say about an object can be stored, and be told in headers again. */
class FormFieldsFuzz extends ParserFuzz {
  private static final String BOUNDARY = "b";
  private static final String TAGGING =
      "<Tagging><TagSet><Tag><Key>k</Key><Value>v</Value></Tag></TagSet></Tagging>";

  private final Bucket bucket = bucket();

  FormFieldsFuzz() {
    super(
        texts(
            form("key", "a/${filename}", "acl", "public-read", "x-amz-meta-a", "b"),
            form(
                "key",
                "k",
                "Content-Type",
                "text/plain; charset=utf-8",
                "Content-Encoding",
                "gzip",
                "Content-Disposition",
                "attachment; filename=\"é\"",
                "Cache-Control",
                "no-cache",
                "Expires",
                "Thu, 01 Dec 1994 16:00:00 GMT",
                "x-amz-storage-class",
                "STANDARD_IA",
                "x-amz-website-redirect-location",
                "/b"),
            form(
                "key",
                "k",
                "tagging",
                TAGGING,
                "x-amz-checksum-crc32",
                "DUoRhQ==",
                "Content-MD5",
                "XrY7u+Ae7tCTyyK7j1rNww==")),
        Set.of(S3Exception.class));
  }

  private static Bucket bucket() {
    MemoryControlPlane control = new MemoryControlPlane();
    control.submit(new Command.CreateUser(1, new User("u-1", "example", false)));
    control.submit(new Command.CreateBucket(1, "bucket", "u-1", BucketSettings.PRIMARY));
    return Objects.requireNonNull(control.state().bucket("bucket"));
  }

  private static String form(String... namesAndValues) {
    StringBuilder form = new StringBuilder();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      form.append("--b\r\nContent-Disposition: form-data; name=\"");
      form.append(namesAndValues[i]).append("\"\r\n\r\n");
      form.append(namesAndValues[i + 1]).append("\r\n");
    }
    form.append("--b\r\nContent-Disposition: form-data; name=file; filename=f.txt\r\n\r\n\r\n");
    return form.append("--b--\r\n").toString();
  }

  @Override
  protected void parse(FuzzInput input) {
    FormDecoder decoder = new FormDecoder(BOUNDARY, 1 << 20);
    decoder.feed(ByteBuffer.wrap(input.bytes()), ignored -> {});
    decoder.end();
    FormFields fields = Objects.requireNonNull(decoder.fields());
    assertThat(fields.key().length()).isLessThanOrEqualTo(ObjectKey.BYTES_MAX);
    Headers headers = fields.headers();
    ObjectAttributes attributes = WriteParameters.attributes(headers, bucket);
    assertThat(PayloadDecoders.announcedChecksums(headers)).isNotNull();
    attributes.headers().forEach(FormFieldsFuzz::requireSendable);
    attributes.userMetadata().forEach(FormFieldsFuzz::requireSendable);
    fields
        .find("tagging")
        .ifPresent(document -> {
          Map<String, String> tags = Tags.ofObject(document.getBytes(UTF_8));
          assertThat(Tags.ofObject(Tags.document(tags))).isEqualTo(tags);
        });
  }

  private static void requireSendable(String name, String value) {
    assertThat(name).matches("[!#$%&'*+.^_`|~0-9a-z-]*");
    for (char character : ObjectHeaders.wire(value).toCharArray()) {
      assertThat(character == '\t' || (character >= ' ' && character != 0x7F && character <= 0xFF))
          .isTrue();
    }
  }

  @Override
  protected List<String> vocabulary() {
    return List.of(
        "--b\r\nContent-Disposition: form-data; name=\"",
        "\"\r\n\r\n",
        "\r\n--b\r\n",
        "\r\n--b--",
        "x-amz-meta-",
        "x-amz-checksum-sha256",
        "x-amz-server-side-encryption",
        "x-amz-grant-read",
        "x-amz-storage-class",
        "content-encoding",
        "Content-MD5",
        "aws-chunked",
        "tagging",
        "bucket-owner-full-control",
        "public-read-write");
  }

  /** Tags are read, written and read again here. */
  @Override
  protected int allocatedPerByteMax() {
    return 512;
  }
}
