package dev.tarn.cluster.capability;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.ListRequest;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.CopySource;
import dev.tarn.cluster.target.UploadRequest;
import dev.tarn.cluster.wire.RequestCodec;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The call that a capability permits: one operation on one key or prefix. A grant contains
 * everything that decides whose bytes are read or written. It does not contain parameters that only
 * shape the answer (range, page size, conditions), so one capability serves every range of an
 * object.
 *
 * <p>Immutable. The digest of its bytes is signed. Every field is preceded by its length, so no two
 * grants have the same bytes.
 */
public final class Grant {
  private static final int FORMAT_VERSION = 1;
  private static final int REPORT_TAG = 254;
  private static final int SCRUB_TAG = 253;

  private final byte[] bytes;

  private Grant(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The grant that this request needs. */
  public static Grant of(TargetRequest<?> request) {
    return build(out -> {
      out.writeByte(RequestCodec.operationTag(request));
      writeScope(out, request.scope());
      writeSubject(out, request);
      writeUpload(out, request);
      writeSource(out, request);
    });
  }

  /** The grant for a report of a target. */
  public static Grant ofReport() {
    return build(out -> out.writeByte(REPORT_TAG));
  }

  /** The grant for a scrub of a target's disks. */
  public static Grant ofScrub() {
    return build(out -> out.writeByte(SCRUB_TAG));
  }

  /** The SHA-256 of the grant in base64url. */
  String digest() {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("this JDK has no SHA-256", impossible);
    }
  }

  /** The signed bytes: the grant's digest, the secret's id and the time of expiry. */
  static byte[] signedBytes(String granted, String secretId, long expiresMs) {
    return bytes(out -> {
      writeText(out, granted);
      writeText(out, secretId);
      out.writeLong(expiresMs);
    });
  }

  private static void writeScope(DataOutputStream out, CallScope scope) throws IOException {
    out.writeLong(scope.bucket().value());
    out.writeLong(scope.settingsVersion());
    out.writeLong(scope.since());
  }

  private static void writeSubject(DataOutputStream out, TargetRequest<?> request)
      throws IOException {
    if (request instanceof TargetRequest.OfKey<?> ofKey) {
      writeKey(out, ofKey.key());
      writeText(out, ofKey.version().orElse(""));
    } else {
      writeText(out, ((ListRequest<?>) request).prefix());
      writeText(out, "");
    }
  }

  private static void writeUpload(DataOutputStream out, TargetRequest<?> request)
      throws IOException {
    UploadRequest<?> upload = request instanceof UploadRequest<?> ofUpload ? ofUpload : null;
    writeText(out, upload == null ? "" : upload.uploadId());
    out.writeInt(upload == null ? 0 : upload.number());
  }

  private static void writeSource(DataOutputStream out, TargetRequest<?> request)
      throws IOException {
    boolean copies = request instanceof TargetRequest.Copying<?>;
    out.writeBoolean(copies);
    if (copies) {
      CopySource from = ((TargetRequest.Copying<?>) request).source();
      writeScope(out, from.scope());
      writeKey(out, from.key());
      writeText(out, from.version().orElse(""));
    }
  }

  private static void writeKey(DataOutputStream out, ObjectKey key) throws IOException {
    byte[] keyBytes = key.bytes();
    out.writeInt(keyBytes.length);
    out.write(keyBytes);
  }

  private static void writeText(DataOutputStream out, String text) throws IOException {
    byte[] textBytes = text.getBytes(UTF_8);
    out.writeInt(textBytes.length);
    out.write(textBytes);
  }

  private interface Fields {
    void write(DataOutputStream out) throws IOException;
  }

  private static Grant build(Fields fields) {
    return new Grant(
        bytes(out -> {
          out.writeByte(FORMAT_VERSION);
          fields.write(out);
        }));
  }

  private static byte[] bytes(Fields fields) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      fields.write(out);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }
}
