package dev.tarn.gateway.payload;

import dev.tarn.cluster.checksum.StreamingDigest;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.gateway.auth.ConstantTime;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Decodes a body without framing: its bytes are the object's bytes. */
final class PlainDecoder implements PayloadDecoder {
  private final long length;
  private final long bodyBytesMax;
  private final @Nullable String sha256Hex;
  private final @Nullable StreamingDigest sha256;
  private final DigestHeaders digests;
  private long received;

  PlainDecoder(long length, long bodyBytesMax, @Nullable String sha256Hex, DigestHeaders digests) {
    this.length = length;
    this.bodyBytesMax = bodyBytesMax;
    this.sha256Hex = sha256Hex;
    this.sha256 = sha256Hex == null ? null : StreamingDigest.of(ChecksumAlgorithm.SHA256);
    this.digests = digests;
  }

  @Override
  public long decodedLength() {
    return length;
  }

  @Override
  public void feed(ByteBuffer piece, Consumer<ByteBuffer> out) {
    received += piece.remaining();
    PayloadDecoders.requireAtMost(bodyBytesMax, received);
    if (length != IncomingBody.UNKNOWN_LENGTH && received > length) {
      throw IncompleteBodies.ofLength(length, received);
    }
    if (sha256 != null) {
      sha256.update(piece);
    }
    if (piece.hasRemaining()) {
      out.accept(piece.slice());
    }
    piece.position(piece.limit());
  }

  @Override
  public void end() {
    if (length != IncomingBody.UNKNOWN_LENGTH && received != length) {
      throw IncompleteBodies.ofLength(length, received);
    }
    if (sha256 != null && sha256Hex != null) {
      String computed = HexFormat.of().formatHex(sha256.finish());
      if (!ConstantTime.equal(computed, sha256Hex)) {
        throw S3Exception.of(S3ErrorCode.X_AMZ_CONTENT_SHA256_MISMATCH)
            .with("ClientComputedContentSHA256", sha256Hex)
            .with("S3ComputedContentSHA256", computed);
      }
    }
  }

  @Override
  public DeclaredDigests declaredDigests() {
    return digests.declared();
  }
}
