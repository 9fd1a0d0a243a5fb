package dev.tarn.cluster.capability;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.CopySource;
import dev.tarn.cluster.wire.RequestCodec;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;

/**
 * What a capability allows: one operation on one key or prefix. Everything that decides whose bytes
 * are read or written is in it; what only shapes the answer (range, page size, conditions) is not,
 * so that one capability serves every range of an object.
 *
 * <p>Immutable; the digest of its bytes is what is signed. Every field has its length before it, so
 * that no two grants have the same bytes.
 */
public final class Grant {
  private static final int FORMAT_VERSION = 1;
  private static final int REPORT_TAG = 254;
  private static final int SCRUB_TAG = 253;

  private final byte[] bytes;

  private Grant(byte[] bytes) {
    this.bytes = bytes;
  }

  /** What this request needs. */
  public static Grant of(TargetRequest request) {
    return build(out -> {
      out.writeByte(RequestCodec.operationTag(request));
      writeScope(out, request.scope());
      writeSubject(out, request);
      writeUpload(out, request);
      Optional<CopySource> source = source(request);
      out.writeBoolean(source.isPresent());
      if (source.isPresent()) {
        CopySource from = source.orElseThrow();
        writeScope(out, from.scope());
        writeKey(out, from.key());
        writeText(out, from.version().orElse(""));
      }
    });
  }

  /** What asking a target how it fares needs. */
  public static Grant ofReport() {
    return build(out -> out.writeByte(REPORT_TAG));
  }

  /** What telling a target to scrub its disks needs. */
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

  /** What is signed: the grant's digest and the time after which it allows nothing. */
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
    out.writeLong(scope.mapEpoch());
  }

  private static void writeSubject(DataOutputStream out, TargetRequest request) throws IOException {
    if (request instanceof TargetRequest.OfKey ofKey) {
      writeKey(out, ofKey.key());
    } else if (request instanceof TargetRequest.ListObjects list) {
      writeText(out, list.prefix());
    } else if (request instanceof TargetRequest.ListVersions list) {
      writeText(out, list.prefix());
    } else if (request instanceof TargetRequest.ListUploads list) {
      writeText(out, list.prefix());
    }
    writeText(out, version(request).orElse(""));
  }

  private static Optional<String> version(TargetRequest request) {
    if (request instanceof TargetRequest.Get get) {
      return get.version();
    } else if (request instanceof TargetRequest.Head head) {
      return head.version();
    } else if (request instanceof TargetRequest.Delete delete) {
      return delete.version();
    } else if (request instanceof TargetRequest.SetTags setTags) {
      return setTags.version();
    } else if (request instanceof TargetRequest.SetAcl setAcl) {
      return setAcl.version();
    }
    return Optional.empty();
  }

  private static void writeUpload(DataOutputStream out, TargetRequest request) throws IOException {
    String uploadId = "";
    int part = 0;
    if (request instanceof TargetRequest.PutPart putPart) {
      uploadId = putPart.uploadId();
      part = putPart.number();
    } else if (request instanceof TargetRequest.CopyPart copyPart) {
      uploadId = copyPart.uploadId();
      part = copyPart.number();
    } else if (request instanceof TargetRequest.Complete complete) {
      uploadId = complete.uploadId();
    } else if (request instanceof TargetRequest.Abort abort) {
      uploadId = abort.uploadId();
    } else if (request instanceof TargetRequest.ListParts listParts) {
      uploadId = listParts.uploadId();
    }
    writeText(out, uploadId);
    out.writeInt(part);
  }

  private static Optional<CopySource> source(TargetRequest request) {
    if (request instanceof TargetRequest.Copy copy) {
      return Optional.of(copy.source());
    } else if (request instanceof TargetRequest.CopyPart copyPart) {
      return Optional.of(copyPart.source());
    }
    return Optional.empty();
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
