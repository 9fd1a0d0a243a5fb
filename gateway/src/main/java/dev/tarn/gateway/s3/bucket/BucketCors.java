package dev.tarn.gateway.s3.bucket;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.BucketChange;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.CorsRule;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.Exchange;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.request.Headers;
import dev.tarn.gateway.request.RequestHead;
import dev.tarn.gateway.s3.operation.Documents;
import dev.tarn.gateway.s3.operation.Operation;
import dev.tarn.gateway.s3.operation.S3Request;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * GetBucketCors, PutBucketCors and DeleteBucketCors; the answers to preflights; and the CORS
 * headers on all other answers about a bucket that has rules.
 */
public final class BucketCors {
  private static final int DOCUMENT_BYTES_MAX = 64 << 10;
  private static final int REQUESTED_HEADERS_MAX = 256;

  private BucketCors() {}

  /** GetBucketCors. */
  public record Get() implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      List<CorsRule> rules = request.bucket().configuration().cors();
      if (rules.isEmpty()) {
        throw S3Exception.of(S3ErrorCode.NO_SUCH_CORS_CONFIGURATION)
            .with("BucketName", request.bucket().name());
      }
      return Response.of(200).xml(CorsDocument.write(rules));
    }
  }

  /** PutBucketCors. */
  public record Put(ControlPlane control) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      if (document.length > DOCUMENT_BYTES_MAX) {
        throw Documents.malformed("a CORSConfiguration may have " + DOCUMENT_BYTES_MAX + " bytes.");
      }
      List<CorsRule> rules = CorsDocument.read(Documents.parse(document, CorsDocument.ROOT));
      BucketOperations.change(control, request.bucket(), new BucketChange.SetCors(rules));
      return Response.of(200);
    }
  }

  /** DeleteBucketCors. */
  public record Delete(ControlPlane control) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      BucketOperations.change(control, request.bucket(), new BucketChange.SetCors(List.of()));
      return Response.of(204);
    }
  }

  /** OPTIONS: a CORS preflight, which browsers never sign. */
  public record Preflight() implements Operation.Direct {
    @Override
    public CompletionStage<Response> answer(S3Request request) {
      String origin = request.header("origin");
      if (origin == null) {
        throw S3Exception.of(
            S3ErrorCode.BAD_REQUEST, "Insufficient information. Origin request header needed.");
      }
      String method = request.header("access-control-request-method");
      if (method == null || !CorsDocument.METHODS.contains(method)) {
        throw S3Exception.of(
            S3ErrorCode.BAD_REQUEST, "Invalid Access-Control-Request-Method: " + method);
      }
      List<CorsRule> rules = request.bucket().configuration().cors();
      if (rules.isEmpty()) {
        throw refused(request, method, "CORSResponse: CORS is not enabled for this bucket.");
      }
      List<String> names = requestedHeaders(request.head().headers());
      CorsAnswer answer =
          CorsAnswer.find(rules, origin, method, names)
              .orElseThrow(() ->
                  refused(
                      request,
                      method,
                      "CORSResponse: This CORS request is not allowed. This is usually because the"
                          + " evalution of Origin, request method / Access-Control-Request-Method"
                          + " or Access-Control-Request-Headers are not whitelisted by the"
                          + " resource's CORS spec."));
      Response response = Response.of(200);
      List<CharSequence> headers = answer.headers();
      for (int index = 0; index < headers.size(); index += 2) {
        response.header(headers.get(index), headers.get(index + 1));
      }
      return completedFuture(response);
    }

    /**
     * The requested header names in lower case. Their number is limited, because each name is
     * compared with all patterns of all rules.
     */
    private static List<String> requestedHeaders(Headers sent) {
      String listed = String.join(",", sent.all("access-control-request-headers"));
      String[] names = listed.split(",", REQUESTED_HEADERS_MAX + 1);
      if (names.length > REQUESTED_HEADERS_MAX) {
        throw S3Exception.of(
            S3ErrorCode.BAD_REQUEST,
            "Access-Control-Request-Headers may have " + REQUESTED_HEADERS_MAX + " names.");
      }
      return Arrays.stream(names)
          .map(name -> name.strip().toLowerCase(Locale.ROOT))
          .filter(name -> !name.isEmpty())
          .toList();
    }

    private static S3Exception refused(S3Request request, String method, String message) {
      return S3Exception.of(S3ErrorCode.ACCESS_FORBIDDEN, message)
          .with("Method", method)
          .with("ResourceType", request.operation().level().name());
    }
  }

  /**
   * Adds the CORS headers of the bucket's rules to every answer of an exchange, including errors.
   * If a request names the method of a preflight, the rule for that method counts, as in S3.
   */
  public static void announce(Exchange exchange, RequestHead head, Bucket bucket) {
    List<CorsRule> rules = bucket.configuration().cors();
    List<CharSequence> headers = new ArrayList<>();
    Headers sent = head.headers();
    String origin = sent.first("origin");
    if (origin != null && !head.method().equals("OPTIONS")) {
      String method = sent.find("access-control-request-method").orElse(head.method());
      Optional<CorsAnswer> answer = CorsAnswer.find(rules, origin, method, List.of());
      answer.ifPresent(found -> headers.addAll(found.headers()));
    }
    headers.add("Vary");
    headers.add(CorsAnswer.VARY);
    exchange.answerHeaders(headers);
  }
}
