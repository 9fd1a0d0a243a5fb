package dev.tarn.gateway.auth;

import dev.tarn.cluster.control.AccessKey;
import dev.tarn.cluster.control.User;
import dev.tarn.gateway.request.Addressing;
import dev.tarn.gateway.request.Headers;
import dev.tarn.gateway.request.RequestHead;
import java.time.Instant;
import java.util.List;

/** The signed requests and the key pair that the documentation of S3 shows. */
public final class ExampleRequests {
  /** The key pair of all the examples. */
  public static final AccessKey KEY =
      new AccessKey("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "u-1", 0);

  /** Whose it is. */
  public static final User USER = new User("u-1", "example", false);

  /** When they were signed. */
  public static final Instant SIGNED = Instant.parse("2013-05-24T00:00:00Z");

  /** The SHA-256 of an empty body. */
  public static final String EMPTY_SHA256 =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

  private static final String SCOPE = "20130524/us-east-1/s3/aws4_request";

  private ExampleRequests() {}

  /** Knows the one key pair, and S3's own domain. */
  public static Authenticator authenticator() {
    return new SignatureAuthenticator(
        id -> id.equals(KEY.id()) ? new Credential(KEY, USER) : null,
        new Addressing(List.of("s3.amazonaws.com")));
  }

  /** A request that arrived when it was signed. */
  public static RequestHead request(String method, String target, String... headers) {
    return RequestHead.parse(method, target, Headers.of(headers), false, SIGNED);
  }

  /** An Authorization header. */
  public static String authorization(String signedHeaders, String signatureHex) {
    return "AWS4-HMAC-SHA256 Credential="
        + KEY.id()
        + "/"
        + SCOPE
        + ",SignedHeaders="
        + signedHeaders
        + ",Signature="
        + signatureHex;
  }

  /** The download of the first ten bytes. */
  public static RequestHead getObject() {
    return request(
        "GET",
        "/test.txt",
        "Host",
        "examplebucket.s3.amazonaws.com",
        "Authorization",
        authorization(
            "host;range;x-amz-content-sha256;x-amz-date",
            "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
        "Range",
        "bytes=0-9",
        "x-amz-content-sha256",
        EMPTY_SHA256,
        "x-amz-date",
        "20130524T000000Z");
  }

  /** The upload in signed chunks. */
  public static RequestHead putChunks() {
    return request(
        "PUT",
        "/examplebucket/chunkObject.txt",
        "Host",
        "s3.amazonaws.com",
        "x-amz-date",
        "20130524T000000Z",
        "x-amz-storage-class",
        "REDUCED_REDUNDANCY",
        "Authorization",
        authorization(
            "content-encoding;content-length;host;x-amz-content-sha256;x-amz-date;"
                + "x-amz-decoded-content-length;x-amz-storage-class",
            "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9"),
        "x-amz-content-sha256",
        "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
        "Content-Encoding",
        "aws-chunked",
        "x-amz-decoded-content-length",
        "66560",
        "Content-Length",
        "66824");
  }

  /** The upload in signed chunks with a signed trailer. */
  public static RequestHead putChunksWithTrailer() {
    return request(
        "PUT",
        "/examplebucket/chunkObject.txt",
        "Host",
        "s3.amazonaws.com",
        "x-amz-date",
        "20130524T000000Z",
        "x-amz-storage-class",
        "REDUCED_REDUNDANCY",
        "Authorization",
        authorization(
            "content-encoding;host;x-amz-content-sha256;x-amz-date;"
                + "x-amz-decoded-content-length;x-amz-storage-class;x-amz-trailer",
            "106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e"),
        "x-amz-content-sha256",
        "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
        "Content-Encoding",
        "aws-chunked",
        "x-amz-decoded-content-length",
        "66560",
        "x-amz-trailer",
        "x-amz-checksum-crc32c");
  }
}
