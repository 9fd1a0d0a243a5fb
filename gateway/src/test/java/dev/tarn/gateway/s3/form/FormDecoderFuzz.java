package dev.tarn.gateway.s3.form;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.fuzz.FuzzInput;
import dev.tarn.gateway.fuzz.ParserFuzz;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A line with the boundary, then the body. Wherever that is split, it decodes alike; and to what
 * stands in it.
 */
class FormDecoderFuzz extends ParserFuzz {
  private static final long FILE_BYTES_MAX = 16 << 10;
  private static final int BOUNDARY_LENGTH_MAX = 70;

  private static final List<String> BOUNDARIES =
      List.of("----WebKit7MA4", "x", "--", "a b'()+_,-./:=?", "-".repeat(BOUNDARY_LENGTH_MAX));

  private static final List<String> NAMES =
      List.of("key", "Policy", "x-amz-meta-\u00e9", "acl", "Content-Type", "success_action_status");

  FormDecoderFuzz() {
    super(
        List.of(
            form(
                """
                ----x
                ------x
                Content-Disposition: form-data; name="key"

                user/${filename}
                ------x
                Content-Disposition: form-data; name="x-amz-meta-a"

                é
                ------x
                Content-Disposition: form-data; name="file"; filename="C:\\a\\b.txt"
                Content-Type: text/plain

                the
                -- file's
                ----- bytes
                ------x--
                """),
            form(
                """
                a b

                --a b
                content-disposition: form-data;name=file


                --a b
                Content-Disposition: form-data; name="submit"

                Upload
                --a b--
                """)),
        Set.of(S3Exception.class));
  }

  /** Line ends as on the wire, but for that behind the boundary. */
  private static byte[] form(String text) {
    return text.replace("\n", "\r\n").replaceFirst("\r\n", "\n").getBytes(UTF_8);
  }

  private record Result(FormFields fields, String file) {}

  @Override
  protected void parse(FuzzInput input) {
    int line = input.wire().indexOf('\n');
    String boundary = boundary(input.wire().substring(0, Math.max(line, 0)));
    byte[] body = Arrays.copyOfRange(input.bytes(), line + 1, input.bytes().length);
    Result whole = null;
    S3Exception refusal = null;
    try {
      whole = decode(boundary, body, Math.max(1, body.length), false, input.random());
    } catch (S3Exception e) {
      refusal = e;
    }
    try {
      Result split = decode(boundary, body, 1 + input.random().nextInt(64), true, input.random());
      assertThat(refusal).isNull();
      assertThat(split).isEqualTo(whole);
    } catch (S3Exception e) {
      assertThat(refusal).isNotNull();
      assertThat(e.error()).isEqualTo(refusal.error());
      throw e;
    }
    check(Objects.requireNonNull(whole), boundary, body, input.isValid());
  }

  private static void check(Result result, String boundary, byte[] body, boolean isPlain) {
    FormFields fields = result.fields();
    PlainForm plain = PlainForm.of(body, boundary, fields.values().size());
    assertThat(result.file()).isEqualTo(plain.file());
    assertThat(fields.values().values()).containsExactlyInAnyOrderElementsOf(plain.values());
    if (isPlain) {
      for (int i = 0; i < plain.names().size(); i++) {
        assertThat(fields.find(plain.names().get(i).toLowerCase(Locale.ROOT)))
            .hasValue(plain.values().get(i).replace("${filename}", fields.fileName()));
      }
    }
    assertThat(fields.fileName()).doesNotContain("/").doesNotContain("\\");
    assertThat(fields.key().getBytes(UTF_8).length).isLessThanOrEqualTo(4 * ObjectKey.BYTES_MAX);
  }

  /** One that a Content-Type may have. */
  private static String boundary(String text) {
    boolean legal =
        !text.isEmpty()
            && text.length() <= BOUNDARY_LENGTH_MAX
            && text.chars().allMatch(character -> character >= ' ' && character < 0x7F);
    return legal ? text : "x";
  }

  private static Result decode(
      String boundary, byte[] body, int pieceLengthMax, boolean split, SplittableRandom random) {
    FormDecoder decoder = new FormDecoder(boundary, FILE_BYTES_MAX);
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    int start = 0;
    while (start < body.length) {
      int rest = body.length - start;
      int length = split ? Math.min(rest, 1 + random.nextInt(pieceLengthMax)) : rest;
      ByteBuffer piece = ByteBuffer.wrap(body, start, length);
      decoder.feed(
          piece,
          part -> {
            while (part.hasRemaining()) {
              file.write(part.get());
            }
          });
      assertThat(piece.hasRemaining()).isFalse();
      start += length;
    }
    decoder.end();
    assertThat(decoder.fileBytes()).isEqualTo(file.size()).isLessThanOrEqualTo(FILE_BYTES_MAX);
    return new Result(Objects.requireNonNull(decoder.fields()), file.toString(ISO_8859_1));
  }

  @Override
  protected byte @Nullable [] valid(SplittableRandom random) {
    if (random.nextBoolean()) {
      return null;
    }
    String boundary = BOUNDARIES.get(random.nextInt(BOUNDARIES.size()));
    StringBuilder form = new StringBuilder(boundary).append('\n');
    if (random.nextInt(4) == 0) {
      form.append("\r\n");
    }
    int fields = random.nextInt(NAMES.size());
    for (int i = 0; i < fields; i++) {
      String name = NAMES.get(i);
      part(form, boundary, "; name=\"" + name + "\"", content(boundary, random));
    }
    String fileName = random.nextBoolean() ? "; filename=\"a/b\u00e9.txt\"" : "";
    part(form, boundary, "; name=\"file\"" + fileName, content(boundary, random));
    while (random.nextBoolean()) {
      part(form, boundary, "; name=\"later\"", content(boundary, random));
    }
    return form.append("--").append(boundary).append("--\r\n").toString().getBytes(UTF_8);
  }

  private static void part(StringBuilder form, String boundary, String parameters, String content) {
    form.append("--").append(boundary).append("\r\n");
    form.append("Content-Disposition: form-data").append(parameters).append("\r\n\r\n");
    form.append(content).append("\r\n");
  }

  /** Text with much in it that a boundary begins like, but without one. */
  private static String content(String boundary, SplittableRandom random) {
    String delimiter = "\r\n--" + boundary;
    StringBuilder content = new StringBuilder();
    int pieces = random.nextInt(4);
    for (int i = 0; i < pieces; i++) {
      // What follows is no delimiter's next character, and begins none.
      content.append(delimiter, 0, random.nextInt(delimiter.length())).append('#');
    }
    if (random.nextBoolean()) {
      content.append(delimiter, 0, random.nextInt(3));
    }
    return content.toString();
  }

  @Override
  protected List<String> vocabulary() {
    return List.of(
        "\r\n------x",
        "\r\n------x--",
        "\r\n-----",
        "\r\n--",
        "\r\n\r\n",
        "\r\r\n",
        "\r",
        "; name=\"file\"",
        "; name=\"",
        "; name=",
        "; filename=\"a/b\"",
        "${filename}",
        "Content-Disposition: form-data; name=\"key\"\r\n\r\nk\r\n------x\r\n",
        "Content-Disposition:",
        "\r\nContent-MD5: ");
  }

  /** It is decoded twice, and taken apart once more, here. */
  @Override
  protected int allocatedPerByteMax() {
    return 256;
  }

  /** Somewhat more than what stands before a file may have. */
  @Override
  protected int lengthMax() {
    return 72 << 10;
  }
}
