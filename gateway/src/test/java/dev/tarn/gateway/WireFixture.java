package dev.tarn.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tarn.gateway.HandSigner.Signed;
import dev.tarn.gateway.RawConnection.RawResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/** A gateway with a bucket of Alice's that anybody may read, and what raw requests are made of. */
final class WireFixture implements AutoCloseable {
  static final String UNSIGNED = "UNSIGNED-PAYLOAD";

  private final GatewayFixture gateway;
  private final String bucket;
  private final S3Client s3;

  WireFixture(String bucket) {
    this(bucket, new GatewayFixture());
  }

  /** In front of this gateway, which it closes. */
  WireFixture(String bucket, GatewayFixture gateway) {
    this.gateway = gateway;
    this.bucket = bucket;
    gateway.createPublicBucket(bucket);
    s3 = gateway.client(GatewayFixture.ALICE);
  }

  GatewayFixture gateway() {
    return gateway;
  }

  /** Alice's client. */
  S3Client s3() {
    return s3;
  }

  RawConnection connect() throws IOException {
    return new RawConnection(gateway.port());
  }

  String host() {
    return "127.0.0.1:" + gateway.port();
  }

  HandSigner signer() {
    return new HandSigner(host());
  }

  /** The target of a PUT of this key that anybody may make for a while. */
  String presignedPut(String key) {
    return signer().presign("PUT", "/" + bucket + "/" + key, Map.of(), Map.of());
  }

  /** A target whose signature is that of another key. */
  String badlySigned(String key) {
    String good = presignedPut("another");
    return "/" + bucket + "/" + key + good.substring(good.indexOf('?'));
  }

  /** A PUT of this key by Alice, whose body is not signed. */
  Signed put(String key) {
    return signer().sign("PUT", "/" + bucket + "/" + key, UNSIGNED, Map.of());
  }

  /** A whole request without a signature. */
  String request(String method, String target, String headers) {
    return method + " " + target + " HTTP/1.1\r\nHost: " + host() + "\r\n" + headers + "\r\n";
  }

  /** An unsigned read of this key. */
  String get(String key) {
    return request("GET", "/" + bucket + "/" + key, "");
  }

  void store(String key, String content) {
    s3.putObject(r -> r.bucket(bucket).key(key), RequestBody.fromString(content));
  }

  /** The answer to a request by Alice, whose body of ASCII text is not signed. */
  RawResponse send(String method, String target, Map<String, String> headers, String body)
      throws IOException {
    Signed request = signer().sign(method, target, UNSIGNED, headers);
    try (RawConnection connection = connect()) {
      return connection
          .send(request.with("Content-Length: " + body.length() + "\r\n"))
          .send(body)
          .receive();
    }
  }

  /** What an object has, read over a connection of its own; its status where there is none. */
  String contentOf(String key) throws IOException {
    try (RawConnection connection = connect()) {
      RawResponse read = connection.send(get(key)).receive();
      return read.status() == 200 ? read.body() : Integer.toString(read.status());
    }
  }

  /** The MD5 of ASCII text, as ETags have it. */
  static String md5(String text) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("MD5").digest(text.getBytes(US_ASCII)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The CRC32 of ASCII text, as headers have it. */
  static String crc32(String text) {
    CRC32 crc = new CRC32();
    crc.update(text.getBytes(US_ASCII));
    return Base64.getEncoder()
        .encodeToString(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
  }

  /** The keys there are, in order. */
  List<String> keys() {
    return s3.listObjectsV2(r -> r.bucket(bucket)).contents().stream().map(S3Object::key).toList();
  }

  @Override
  public void close() {
    s3.close();
    gateway.close();
  }
}
