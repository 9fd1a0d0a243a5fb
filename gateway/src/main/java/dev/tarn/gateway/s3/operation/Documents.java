package dev.tarn.gateway.s3.operation;

import dev.tarn.cluster.checksum.BodyDigests;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.gateway.error.FailureErrors;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.xml.MalformedXmlException;
import dev.tarn.gateway.xml.XmlElement;
import dev.tarn.gateway.xml.XmlReader;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Bodies that are documents. A document is held in memory up to a limit, verified, then parsed. */
public final class Documents {
  private static final Flow.Subscription NOTHING =
      new Flow.Subscription() {
        @Override
        public void request(long amount) {}

        @Override
        public void cancel() {}
      };

  private Documents() {}

  /**
   * Collects a body. The stage fails if the body is longer than allowed or differs from what was
   * declared.
   */
  public static CompletionStage<byte[]> gather(DecodedBody body, int bytesMax) {
    Gathering gathering = new Gathering(body, bytesMax);
    body.subscribe(gathering);
    return gathering.gathered;
  }

  /**
   * Parses a document and returns its root, which must have this name.
   *
   * @throws S3Exception MalformedXML
   */
  public static XmlElement parse(byte[] document, String rootName) {
    try {
      XmlElement root = XmlReader.read(document);
      if (root.name().equals(rootName)) {
        return root;
      }
      throw malformed("the root element is " + root.name() + ", must be " + rootName);
    } catch (MalformedXmlException e) {
      throw malformed(Objects.requireNonNullElse(e.getMessage(), ""));
    }
  }

  /** The error for a document with invalid content. */
  public static S3Exception malformed(String why) {
    return S3Exception.of(
        S3ErrorCode.MALFORMED_XML, S3ErrorCode.MALFORMED_XML.message() + " " + why);
  }

  private static void verify(byte[] document, DeclaredDigests declared) {
    if (declared.md5Hex().isEmpty() && declared.checksums().isEmpty()) {
      return;
    }
    Set<ChecksumAlgorithm> algorithms = EnumSet.noneOf(ChecksumAlgorithm.class);
    for (ObjectChecksum checksum : declared.checksums()) {
      algorithms.add(checksum.algorithm());
    }
    BodyDigests digests = new BodyDigests(declared.md5Hex().isPresent(), algorithms);
    digests.update(ByteBuffer.wrap(document));
    digests
        .finish()
        .contradiction(declared)
        .ifPresent(failure -> {
          throw new S3Exception(FailureErrors.errorOf(failure));
        });
  }

  private static final class Gathering implements Flow.Subscriber<ByteBuffer> {
    private final DecodedBody body;
    private final int bytesMax;
    private final CompletableFuture<byte[]> gathered = new CompletableFuture<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private Flow.Subscription subscription = NOTHING;

    Gathering(DecodedBody body, int bytesMax) {
      this.body = body;
      this.bytesMax = bytesMax;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription = given;
      given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(ByteBuffer piece) {
      if (bytes.size() + piece.remaining() > bytesMax) {
        subscription.cancel();
        gathered.completeExceptionally(
            S3Exception.of(
                    S3ErrorCode.MAX_MESSAGE_LENGTH_EXCEEDED,
                    "Your request was too large: a document may have " + bytesMax + " bytes.")
                .with("MaxMessageLengthBytes", Integer.toString(bytesMax)));
        return;
      }
      byte[] copy = new byte[piece.remaining()];
      piece.get(copy);
      bytes.writeBytes(copy);
    }

    @Override
    public void onError(Throwable cause) {
      gathered.completeExceptionally(cause);
    }

    @Override
    public void onComplete() {
      byte[] document = bytes.toByteArray();
      try {
        verify(document, body.declaredDigests());
        gathered.complete(document);
      } catch (S3Exception e) {
        gathered.completeExceptionally(e);
      }
    }
  }
}
