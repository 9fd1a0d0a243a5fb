package dev.tarn.gateway.payload;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.gateway.auth.PayloadPlan;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.request.Headers;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Chooses the decoder of a body. */
public final class PayloadDecoders {
  private static final String DECODED_LENGTH = "x-amz-decoded-content-length";

  private PayloadDecoders() {}

  /**
   * Creates the decoder of a body that is about to arrive.
   *
   * @param headers of its request
   * @param plan from the request's authentication
   * @param bodyBytesMax the maximum size of a decoded body
   * @throws S3Exception if the headers already show that the body is invalid: EntityTooLarge,
   *     MissingContentLength (chunks without their decoded length), InvalidArgument (a length that
   *     is not a number), InvalidDigest, InvalidRequest
   */
  public static PayloadDecoder open(Headers headers, PayloadPlan plan, long bodyBytesMax) {
    requireNonNull(plan, "plan is null");
    DigestHeaders digests = DigestHeaders.read(headers);
    return switch (plan) {
      case PayloadPlan.Unsigned _ -> plain(headers, digests, null, bodyBytesMax);
      case PayloadPlan.Sha256(String sha256Hex) -> plain(headers, digests, sha256Hex, bodyBytesMax);
      case PayloadPlan.UnsignedChunks _ ->
          new ChunkedDecoder(
              decodedLength(headers, bodyBytesMax),
              new Trailers(digests, true),
              ChunkVerifier.UNSIGNED);
      case PayloadPlan.SignedChunks(var chain, boolean trailer) ->
          new ChunkedDecoder(
              decodedLength(headers, bodyBytesMax),
              new Trailers(digests, trailer),
              new ChunkSignatures(chain, trailer));
    };
  }

  /**
   * The digests with values in these headers, or in form fields that replace headers.
   *
   * @throws S3Exception InvalidDigest, InvalidRequest
   */
  public static DeclaredDigests declaredDigests(Headers headers) {
    return DigestHeaders.read(headers).declared();
  }

  /**
   * The checksums with values in these headers, or announced for the trailers. Unknown algorithms
   * are skipped; {@link #open} and {@link #declaredDigests} refuse them.
   */
  public static Set<ChecksumAlgorithm> announcedChecksums(Headers headers) {
    return DigestHeaders.announced(headers);
  }

  private static PayloadDecoder plain(
      Headers headers, DigestHeaders digests, @Nullable String sha256Hex, long bodyBytesMax) {
    digests.requireNoTrailer();
    // With Transfer-Encoding: chunked, Content-Length has no meaning.
    boolean counted = !headers.contains("transfer-encoding");
    long length =
        counted
            ? length(headers, "content-length").orElse(IncomingBody.UNKNOWN_LENGTH)
            : IncomingBody.UNKNOWN_LENGTH;
    requireAtMost(bodyBytesMax, length);
    return new PlainDecoder(length, bodyBytesMax, sha256Hex, digests);
  }

  private static long decodedLength(Headers headers, long bodyBytesMax) {
    long length =
        length(headers, DECODED_LENGTH)
            .orElseThrow(() ->
                S3Exception.of(
                    S3ErrorCode.MISSING_CONTENT_LENGTH,
                    "You must provide the " + DECODED_LENGTH + " HTTP header."));
    requireAtMost(bodyBytesMax, length);
    return length;
  }

  private static Optional<Long> length(Headers headers, String name) {
    String value = headers.first(name);
    if (value == null) {
      return Optional.empty();
    }
    try {
      long length = Long.parseLong(value.strip());
      if (length >= 0) {
        return Optional.of(length);
      }
    } catch (NumberFormatException _) {
      // Reported below, like a negative number.
    }
    throw S3Exception.of(
            S3ErrorCode.INVALID_ARGUMENT, name + " must be a whole number that is not negative.")
        .with("ArgumentName", name)
        .with("ArgumentValue", value);
  }

  /**
   * Refuses a body that is too large.
   *
   * @throws S3Exception EntityTooLarge
   */
  static void requireAtMost(long bodyBytesMax, long length) {
    if (length > bodyBytesMax) {
      throw S3Exception.of(S3ErrorCode.ENTITY_TOO_LARGE)
          .with("ProposedSize", Long.toString(length))
          .with("MaxSizeAllowed", Long.toString(bodyBytesMax));
    }
  }

  /**
   * Finds the algorithm of this name; case does not matter.
   *
   * @throws S3Exception InvalidRequest for an unsupported algorithm
   */
  public static ChecksumAlgorithm checksumAlgorithm(String algorithm) {
    return ChecksumAlgorithm.find(algorithm.strip())
        .orElseThrow(() ->
            S3Exception.of(
                S3ErrorCode.INVALID_REQUEST,
                "Checksum algorithm provided is unsupported: "
                    + algorithm
                    + ". Please try again with any of the valid types: "
                    + Arrays.toString(ChecksumAlgorithm.values())));
  }
}
