package dev.tarn.gateway.s3;

import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.s3.operation.Operation;
import dev.tarn.gateway.s3.operation.S3Request;
import dev.tarn.gateway.xml.XmlWriter;

/**
 * Answers about features that buckets do not have here. Tools request them before they continue.
 */
final class Stub {
  private Stub() {}

  /**
   * A document without content.
   *
   * @param root its root element
   */
  record Empty(String root) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      return Response.of(200).xml(XmlWriter.document(root, 256).close(root).bytes());
    }
  }

  /**
   * The error for a missing configuration.
   *
   * @param code of the error
   */
  record Missing(S3ErrorCode code) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      throw S3Exception.of(code).with("BucketName", request.bucket().name());
    }
  }

  /** The bucket's owner pays for requests. */
  record RequestPayment() implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      return Response.of(200)
          .xml(
              XmlWriter.document("RequestPaymentConfiguration", 256)
                  .element("Payer", "BucketOwner")
                  .close("RequestPaymentConfiguration")
                  .bytes());
    }
  }
}
