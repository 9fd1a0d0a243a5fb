package dev.tarn.gateway.payload;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.checksum.ChecksumValues;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.request.Headers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The digests of a body according to the headers of its request.
 *
 * @param declared the digests with values in headers
 * @param trailers the checksums with values announced for the trailers
 */
record DigestHeaders(DeclaredDigests declared, Set<ChecksumAlgorithm> trailers) {
  private static final String CHECKSUM_PREFIX = "x-amz-checksum-";
  private static final String SDK_ALGORITHM = "x-amz-sdk-checksum-algorithm";
  private static final String TRAILER = "x-amz-trailer";
  private static final int MD5_BYTES = 16;

  /** These headers share the prefix but contain no checksum. */
  private static final Set<String> NOT_VALUES =
      Set.of("x-amz-checksum-algorithm", "x-amz-checksum-mode", "x-amz-checksum-type");

  DigestHeaders {
    requireNonNull(declared, "declared is null");
    trailers = Set.copyOf(requireNonNull(trailers, "trailers is null"));
  }

  /**
   * Reads the digests.
   *
   * @throws S3Exception InvalidDigest for a malformed Content-MD5, InvalidRequest for a malformed,
   *     unknown or second checksum, or an algorithm without its value
   */
  static DigestHeaders read(Headers headers) {
    DeclaredDigests declared =
        new DeclaredDigests(
            headers.find("content-md5").map(DigestHeaders::md5Hex), checksums(headers));
    Set<ChecksumAlgorithm> trailers = trailers(headers);
    if (declared.checksums().size() + trailers.size() > 1) {
      throw S3Exception.of(
          S3ErrorCode.INVALID_REQUEST,
          "Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.");
    }
    headers.find(SDK_ALGORITHM).ifPresent(algorithm -> requireAnnounced(headers, algorithm));
    return new DigestHeaders(declared, trailers);
  }

  /** Refuses a checksum algorithm of an SDK if no header and no trailer has its value. */
  private static void requireAnnounced(Headers headers, String sdkAlgorithm) {
    ChecksumAlgorithm algorithm = PayloadDecoders.checksumAlgorithm(sdkAlgorithm);
    Set<ChecksumAlgorithm> announced = announced(headers);
    if (announced.isEmpty()) {
      throw S3Exception.of(
          S3ErrorCode.INVALID_REQUEST,
          SDK_ALGORITHM
              + " specified, but no corresponding x-amz-checksum-* or x-amz-trailer headers were"
              + " found.");
    }
    if (!announced.contains(algorithm)) {
      throw S3Exception.of(
          S3ErrorCode.INVALID_REQUEST, "Value for " + SDK_ALGORITHM + " header is invalid.");
    }
  }

  /**
   * The checksums with values in headers or announced for the trailers. Unknown algorithms are
   * skipped; {@link #read} refuses them.
   */
  static Set<ChecksumAlgorithm> announced(Headers headers) {
    Set<ChecksumAlgorithm> announced = EnumSet.noneOf(ChecksumAlgorithm.class);
    for (int i = 0; i < headers.size(); i++) {
      String name = headers.nameAt(i);
      if (name.equals(TRAILER)) {
        for (String trailer : headers.valueAt(i).split(",", -1)) {
          addNamed(announced, trailer.strip().toLowerCase(Locale.ROOT));
        }
      } else {
        addNamed(announced, name);
      }
    }
    return announced;
  }

  private static void addNamed(Set<ChecksumAlgorithm> announced, String name) {
    if (name.startsWith(CHECKSUM_PREFIX)) {
      ChecksumAlgorithm.find(name.substring(CHECKSUM_PREFIX.length())).ifPresent(announced::add);
    }
  }

  /** Refuses trailers if the framing of the body does not allow them. */
  void requireNoTrailer() {
    if (!trailers.isEmpty()) {
      throw S3Exception.of(
          S3ErrorCode.INVALID_REQUEST,
          TRAILER + " announces a trailer, but the x-amz-content-sha256 header allows none.");
    }
  }

  /** The checksum of a header or trailer. */
  static ObjectChecksum checksum(ChecksumAlgorithm algorithm, String value) {
    return ChecksumValues.parse(algorithm, value)
        .map(bytes -> ChecksumValues.ofBytes(algorithm, bytes))
        .orElseThrow(() ->
            S3Exception.of(
                S3ErrorCode.INVALID_REQUEST,
                "Value for " + algorithm.headerName() + " header is invalid."));
  }

  private static List<ObjectChecksum> checksums(Headers headers) {
    List<ObjectChecksum> found = new ArrayList<>(1);
    for (int i = 0; i < headers.size(); i++) {
      String name = headers.nameAt(i);
      if (name.startsWith(CHECKSUM_PREFIX) && !NOT_VALUES.contains(name)) {
        found.add(checksum(algorithmOf(name), headers.valueAt(i).strip()));
      }
    }
    return found;
  }

  private static Set<ChecksumAlgorithm> trailers(Headers headers) {
    Set<ChecksumAlgorithm> announced = EnumSet.noneOf(ChecksumAlgorithm.class);
    headers.all(TRAILER).stream()
        .flatMap(value -> Arrays.stream(value.split(",", -1)))
        .map(name -> name.strip().toLowerCase(Locale.ROOT))
        .forEach(name -> announced.add(algorithmOf(name)));
    return announced;
  }

  private static ChecksumAlgorithm algorithmOf(String name) {
    if (!name.startsWith(CHECKSUM_PREFIX)) {
      throw S3Exception.of(
          S3ErrorCode.INVALID_REQUEST,
          "The value specified in the x-amz-trailer header is not supported: " + name);
    }
    return PayloadDecoders.checksumAlgorithm(name.substring(CHECKSUM_PREFIX.length()));
  }

  private static String md5Hex(String base64) {
    try {
      byte[] md5 = Base64.getDecoder().decode(base64.strip());
      if (md5.length == MD5_BYTES) {
        return HexFormat.of().formatHex(md5);
      }
    } catch (IllegalArgumentException _) {
      // Reported below, like a digest of the wrong length.
    }
    throw S3Exception.of(S3ErrorCode.INVALID_DIGEST).with("Content-MD5", base64);
  }

  /** The declared digests of the headers, together with those of the trailers. */
  DeclaredDigests with(List<ObjectChecksum> trailing) {
    List<ObjectChecksum> all = new ArrayList<>(declared.checksums());
    all.addAll(trailing);
    Optional<String> md5Hex = declared.md5Hex();
    return new DeclaredDigests(md5Hex, all);
  }
}
