package dev.tarn.gateway.payload;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.auth.PayloadPlan;
import dev.tarn.gateway.auth.SignatureChain;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.fuzz.FuzzInput;
import dev.tarn.gateway.fuzz.ParserFuzz;
import dev.tarn.gateway.request.Headers;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import javax.crypto.spec.SecretKeySpec;

/**
 * Bodies in aws-chunked framing. Wherever a body is split, the same comes of it; and what was
 * signed comes out as it was signed, or not at all.
 */
abstract class ChunkedBodyFuzz extends ParserFuzz {
  private static final long BODY_BYTES_MAX = 1L << 20;
  static final String CRC32 = "x-amz-checksum-crc32";

  private final List<Body> bodies;
  private final boolean signed;

  ChunkedBodyFuzz(List<Body> bodies, boolean signed) {
    super(
        bodies.stream().map(body -> body.framed.getBytes(ISO_8859_1)).toList(),
        Set.of(S3Exception.class));
    this.bodies = bodies;
    this.signed = signed;
  }

  /**
   * A valid body.
   *
   * @param content what it carries
   * @param framed as it is sent
   * @param headers of its request
   * @param plan how it is framed
   */
  record Body(String content, String framed, Headers headers, PayloadPlan plan) {
    static Body of(String content, String framed, PayloadPlan plan, String... trailers) {
      Headers.Builder headers =
          Headers.builder().add("x-amz-decoded-content-length", Integer.toString(content.length()));
      for (String trailer : trailers) {
        headers.add("x-amz-trailer", trailer);
      }
      return new Body(content, framed, headers.build(), plan);
    }

    private PayloadDecoder decoder() {
      return PayloadDecoders.open(headers, plan, BODY_BYTES_MAX);
    }
  }

  @Override
  protected void parse(FuzzInput input) {
    Body body = bodies.get(input.origin());
    byte[] framed = input.bytes();
    S3Exception refusal = null;
    String whole = "";
    PayloadDecoder decoder = body.decoder();
    try {
      whole = decode(decoder, framed, framed.length, input.random());
    } catch (S3Exception e) {
      refusal = e;
    }
    PayloadDecoder splitting = body.decoder();
    try {
      String split = decode(splitting, framed, 1 + input.random().nextInt(64), input.random());
      assertThat(refusal).isNull();
      assertThat(split).isEqualTo(whole);
      assertThat(splitting.declaredDigests()).isEqualTo(decoder.declaredDigests());
    } catch (S3Exception e) {
      assertThat(refusal).isNotNull();
      assertThat(e.error()).isEqualTo(refusal.error());
      throw e;
    }
    assertThat((long) whole.length()).isEqualTo(decoder.decodedLength());
    if (signed) {
      assertThat(whole).isEqualTo(body.content);
    }
  }

  @Override
  protected List<String> vocabulary() {
    return List.of(
        "0\r\n",
        "0\r\n\r\n",
        "1\r\na\r\n",
        "fffffffffffffff\r\n",
        "1000000000000000\r\n",
        ";chunk-signature=",
        CRC32 + ":DUoRhQ==\r\n",
        "x-amz-trailer-signature:",
        "\r\n");
  }

  private static String decode(
      PayloadDecoder decoder, byte[] framed, int pieceLengthMax, SplittableRandom random) {
    ByteArrayOutputStream decoded = new ByteArrayOutputStream();
    int start = 0;
    while (start < framed.length) {
      int end = start + Math.min(framed.length - start, 1 + random.nextInt(pieceLengthMax));
      ChunkedBodies.feed(decoder, framed, start, end, decoded);
      start = end;
    }
    decoder.end();
    return decoded.toString(ISO_8859_1);
  }

  static PayloadPlan.SignedChunks plan(int seed, boolean trailer) {
    String seedHex = Integer.toHexString(seed).repeat(64);
    return new PayloadPlan.SignedChunks(
        new SignatureChain(
            new SecretKeySpec(("key " + seed).getBytes(US_ASCII), "HmacSHA256"),
            "20130524T000000Z",
            "20130524/us-east-1/s3/aws4_request",
            seedHex),
        trailer);
  }
}
