package dev.tarn.gateway.payload;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.gateway.auth.ExampleRequests;
import dev.tarn.gateway.auth.PayloadPlan;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.request.Headers;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChunkedDecoderTest {
  private static final String BODY = "5\r\nhello\r\n6\r\n world\r\n0\r\n";
  private static final String TRAILER = "x-amz-checksum-crc32:DUoRhQ==\r\n";

  @ParameterizedTest
  @ValueSource(
      strings = {
        BODY + TRAILER,
        BODY + TRAILER + "\r\n",
        BODY + TRAILER + "\r\n\r\n",
        BODY + "X-Amz-Checksum-CRC32 : DUoRhQ== \r\n\r\n",
        BODY + "x-amz-checksum-crc32:DUoRhQ==\n\r\n",
        "0000B\r\nhello world\r\n000\r\n" + TRAILER + "\r\n",
      })
  void unsignedChunksAreDecodedFromPiecesOfAnySize(String body) {
    for (int pieceLength = 1; pieceLength <= body.length(); pieceLength++) {
      PayloadDecoder decoder = unsigned("11", "x-amz-checksum-crc32");
      assertThat(ChunkedBodies.decode(decoder, body.getBytes(ISO_8859_1), pieceLength))
          .asString(ISO_8859_1)
          .isEqualTo("hello world");
      assertThat(decoder.declaredDigests().checksums())
          .containsExactly(
              new ObjectChecksum(ChecksumAlgorithm.CRC32, ChecksumType.FULL_OBJECT, "DUoRhQ=="));
    }
  }

  @Test
  void bodyWithoutATrailerNeedsNone() {
    PayloadDecoder decoder = unsigned("11");
    assertThat(ChunkedBodies.decode(decoder, (BODY + "\r\n").getBytes(ISO_8859_1), 4)).hasSize(11);
    assertThat(decoder.declaredDigests().checksums()).isEmpty();
  }

  @Test
  void everyCutBodyIsIncomplete() {
    byte[] body = (BODY + TRAILER).getBytes(ISO_8859_1);
    for (int end = 0; end < body.length; end++) {
      byte[] cut = Arrays.copyOf(body, end);
      assertThat(refusal(unsigned("11", "x-amz-checksum-crc32"), cut))
          .as("cut at %d", end)
          .isEqualTo(S3ErrorCode.INCOMPLETE_BODY);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "12 | 5~hello~6~ world~0~~ | INCOMPLETE_BODY",
        "10 | 5~hello~6~ world~0~~ | INCOMPLETE_BODY",
        "11 | 5~hello~6~ world~0~x-amz-checksum-crc32:DUoRhQ==~ | MALFORMED_TRAILER_ERROR",
        "11 | 5~hello~6~ world~0~nonsense~ | MALFORMED_TRAILER_ERROR",
        "11 | 5~hello~6~ world~0~:x~ | MALFORMED_TRAILER_ERROR",
        "11 | 5~hello6~ world~0~~ | INVALID_REQUEST",
        "11 | 5~helloX~6~ world~0~~ | INVALID_REQUEST",
        "11 | five~hello~ | INVALID_REQUEST",
        "11 | -5~hello~ | INVALID_REQUEST",
        "11 | ~hello~ | INVALID_REQUEST",
        "11 | 5;x=y~hello~ | INVALID_REQUEST",
        "11 | 7fffffffffffffff~hello~ | INVALID_REQUEST",
        "11 | fffffffffffffff~hello~ | INCOMPLETE_BODY",
      })
  void malformedFramingIsRefused(String length, String body, S3ErrorCode code) {
    byte[] bytes = body.replace("~", "\r\n").getBytes(ISO_8859_1);
    assertThat(refusal(unsigned(length), bytes)).isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | INCOMPLETE_BODY",
        "~ | MALFORMED_TRAILER_ERROR",
        "x-amz-checksum-crc32:short~ | INVALID_REQUEST",
        "x-amz-checksum-crc32c:DUoRhQ==~ | MALFORMED_TRAILER_ERROR",
        "x-amz-checksum-crc32:DUoRhQ==~x-amz-checksum-crc32:DUoRhQ==~ | MALFORMED_TRAILER_ERROR",
        "x-amz-checksum-crc32:DUoRhQ==~x-amz-meta-a:b~ | MALFORMED_TRAILER_ERROR",
        "~~~~~~~~~~~~~~~~~ | MALFORMED_TRAILER_ERROR",
      })
  void trailerOtherThanTheAnnouncedIsRefused(String trailer, S3ErrorCode code) {
    byte[] bytes = (BODY + trailer.replace("~", "\r\n")).getBytes(ISO_8859_1);
    assertThat(refusal(unsigned("11", "x-amz-checksum-crc32"), bytes)).isEqualTo(code);
  }

  @Test
  void endlessLineIsRefusedBeforeItEnds() {
    byte[] line = new byte[4096];
    Arrays.fill(line, (byte) '1');
    assertThat(refusal(unsigned("11"), line)).isEqualTo(S3ErrorCode.INVALID_REQUEST);
  }

  @Test
  void flippedBitAnywhereInASignedBodyIsRefused() {
    byte[] body = ChunkedBodies.signedWithTrailer();
    int dataStart = "10000;chunk-signature=".length() + 64 + 2;
    int dataEnd = dataStart + 65536;
    int end = body.length - "\r\n\r\n".length();
    Random random = new Random(11);
    for (int index = 0; index < end; index++) {
      boolean inData = index > dataStart && index < dataEnd;
      if (inData && random.nextInt(1000) != 0) {
        continue;
      }
      byte[] tampered = body.clone();
      tampered[index] ^= (byte) (1 << random.nextInt(8));
      PayloadDecoder decoder = ChunkedBodies.decoder(ExampleRequests.putChunksWithTrailer());
      if (!spellsTheSame(body[index], tampered[index])) {
        assertThat(refusal(decoder, tampered)).as("bit of byte %d", index).isNotNull();
      }
    }
  }

  /** Sizes and names of headers are read in any case: that bit says nothing. */
  private static boolean spellsTheSame(byte one, byte other) {
    return Character.toLowerCase(one) == Character.toLowerCase(other);
  }

  @Test
  void signedChunksCannotBeReorderedOrLeftOut() {
    String body = new String(ChunkedBodies.signed(), ISO_8859_1);
    int second = body.indexOf("400;");
    int last = body.indexOf("0;chunk-signature=b6c6");
    String swapped =
        body.substring(second, last) + body.substring(0, second) + body.substring(last);
    String without = body.substring(0, second) + body.substring(last);
    for (String wrong : new String[] {swapped, without}) {
      assertThat(
              refusal(
                  ChunkedBodies.decoder(ExampleRequests.putChunks()), wrong.getBytes(ISO_8859_1)))
          .isIn(S3ErrorCode.SIGNATURE_DOES_NOT_MATCH, S3ErrorCode.INCOMPLETE_BODY);
    }
  }

  @Test
  void signedTrailerCannotBeLeftUnsigned() {
    String body = new String(ChunkedBodies.signedWithTrailer(), ISO_8859_1);
    String unsigned = body.substring(0, body.indexOf("x-amz-trailer-signature")) + "\r\n";
    assertThat(
            refusal(
                ChunkedBodies.decoder(ExampleRequests.putChunksWithTrailer()),
                unsigned.getBytes(ISO_8859_1)))
        .isEqualTo(S3ErrorCode.SIGNATURE_DOES_NOT_MATCH);
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23})
  void garbageMeetsNoOtherExceptionThanTheDeclared(long seed) {
    Random random = new Random(seed);
    String alphabet = "0123456789abcdef;=\r\n:x- " + (char) 0xFF + (char) 0;
    for (int round = 0; round < 2000; round++) {
      byte[] body = new byte[random.nextInt(200)];
      for (int i = 0; i < body.length; i++) {
        body[i] = (byte) alphabet.charAt(random.nextInt(alphabet.length()));
      }
      assertThat(refusal(unsigned("100"), body)).isNotNull();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {31, 32})
  void damagedBodyMeetsNoOtherExceptionThanTheDeclared(long seed) {
    Random random = new Random(seed);
    byte[] body = (BODY + TRAILER + "\r\n").getBytes(ISO_8859_1);
    for (int round = 0; round < 2000; round++) {
      byte[] damaged = body.clone();
      for (int i = random.nextInt(4); i >= 0; i--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      // Damage to unsigned data alone goes through: the checksum is the receiver's to compare.
      S3Exception refusal =
          catchThrowableOfType(
              S3Exception.class,
              () ->
                  ChunkedBodies.decode(
                      unsigned("11", "x-amz-checksum-crc32"),
                      damaged,
                      1 + random.nextInt(damaged.length)));
      if (refusal != null) {
        assertThat(refusal.code().httpStatus()).isEqualTo(400);
      }
    }
  }

  @Test
  void chunksWithoutTheirDecodedLengthAreRefused() {
    S3Exception refusal =
        catchThrowableOfType(
            S3Exception.class,
            () ->
                PayloadDecoders.open(
                    Headers.of("transfer-encoding", "chunked"),
                    new PayloadPlan.UnsignedChunks(),
                    100));
    assertThat(refusal.code()).isEqualTo(S3ErrorCode.MISSING_CONTENT_LENGTH);
  }

  @Test
  void piecesShareTheMemoryOfWhatWasFed() {
    ByteArrayOutputStream decoded = new ByteArrayOutputStream();
    PayloadDecoder decoder = unsigned("11");
    byte[] body = BODY.getBytes(ISO_8859_1);
    decoder.feed(
        ByteBuffer.wrap(body),
        part -> {
          assertThat(part.array()).isSameAs(body);
          decoded.write(body, part.arrayOffset() + part.position(), part.remaining());
        });
    decoder.end();
    assertThat(decoded.toString(ISO_8859_1)).isEqualTo("hello world");
  }

  private static PayloadDecoder unsigned(String length, String... trailers) {
    Headers.Builder headers = Headers.builder().add("x-amz-decoded-content-length", length);
    for (String trailer : trailers) {
      headers.add("x-amz-trailer", trailer);
    }
    return PayloadDecoders.open(headers.build(), new PayloadPlan.UnsignedChunks(), 100);
  }

  private static S3ErrorCode refusal(PayloadDecoder decoder, byte[] body) {
    return catchThrowableOfType(S3Exception.class, () -> ChunkedBodies.decode(decoder, body, 4096))
        .code();
  }
}
