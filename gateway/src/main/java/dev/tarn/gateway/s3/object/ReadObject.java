package dev.tarn.gateway.s3.object;

import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.gateway.http.HeaderNames;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.s3.operation.Operation;
import dev.tarn.gateway.s3.operation.Outcomes;
import dev.tarn.gateway.s3.operation.S3Request;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** GetObject and HeadObject; they differ only in the body. */
public final class ReadObject {
  private ReadObject() {}

  /**
   * GetObject.
   *
   * @param direct for clients that read directly from the object's target
   */
  public record Get(PermittedReads reads, DirectRead direct) implements Operation.Direct {
    @Override
    public boolean judgesObject() {
      return true;
    }

    @Override
    public CompletionStage<Response> answer(S3Request request) {
      Optional<Response> directions = direct.directions(request);
      return directions.isPresent()
          ? CompletableFuture.completedFuture(directions.orElseThrow())
          : send(request);
    }

    private CompletionStage<Response> send(S3Request request) {
      Selection selection = ReadParameters.selection(request);
      Preconditions preconditions =
          ReadParameters.preconditions(request.head().headers(), ReadParameters.Conditions.OF_READ);
      Map<String, String> overrides = ReadParameters.overrides(request);
      Preconditions ofRange = ReadParameters.ofRange(request.head().headers(), selection);
      if (ofRange == null) {
        return read(request, selection, preconditions)
            .thenApply(outcome -> answer(request, selection, overrides, outcome));
      }
      // The whole object is always a correct answer; a range of a changed object is not.
      if (!preconditions.isEmpty()) {
        return readWhole(request, preconditions, overrides);
      }
      return read(request, selection, ofRange)
          .thenCompose(outcome ->
              isChanged(outcome)
                  ? readWhole(request, preconditions, overrides)
                  : CompletableFuture.completedStage(
                      answer(request, selection, overrides, outcome)));
    }

    private CompletionStage<Outcome<ObjectRead>> read(
        S3Request request, Selection selection, Preconditions preconditions) {
      return reads.get(
          request,
          new TargetRequest.Get(
              request.scope(), request.key(), request.version(), selection, preconditions));
    }

    private CompletionStage<Response> readWhole(
        S3Request request, Preconditions preconditions, Map<String, String> overrides) {
      return read(request, Selection.WHOLE, preconditions)
          .thenApply(outcome -> answer(request, Selection.WHOLE, overrides, outcome));
    }

    private static boolean isChanged(Outcome<ObjectRead> outcome) {
      return outcome instanceof Outcome.Failed<ObjectRead>(Failure failure)
          && failure instanceof Failure.PreconditionFailed;
    }

    private static Response answer(
        S3Request request,
        Selection selection,
        Map<String, String> overrides,
        Outcome<ObjectRead> outcome) {
      return switch (outcome) {
        case Outcome.Success<ObjectRead>(ObjectRead read) -> {
          try {
            yield head(request, selection, overrides, read.head()).object(read.body());
          } catch (RuntimeException e) {
            read.body().close();
            throw e;
          }
        }
        case Outcome.Failed<ObjectRead>(Failure failure) -> refusal(request, failure);
      };
    }
  }

  /** HeadObject. */
  public record Head(PermittedReads reads) implements Operation.Direct {
    @Override
    public boolean judgesObject() {
      return true;
    }

    @Override
    public CompletionStage<Response> answer(S3Request request) {
      Selection selection = ReadParameters.selection(request);
      Map<String, String> overrides = ReadParameters.overrides(request);
      return reads
          .head(
              request,
              new TargetRequest.Head(
                  request.scope(),
                  request.key(),
                  request.version(),
                  selection,
                  ReadParameters.preconditions(
                      request.head().headers(), ReadParameters.Conditions.OF_READ)))
          .thenApply(outcome ->
              switch (outcome) {
                case Outcome.Success<ObjectHead>(ObjectHead found) ->
                    head(request, selection, overrides, found).headOnly(found.length());
                case Outcome.Failed<ObjectHead>(Failure failure) -> refusal(request, failure);
              });
    }
  }

  private static Response head(
      S3Request request, Selection selection, Map<String, String> overrides, ObjectHead found) {
    ObjectMetadata object = found.metadata();
    request.exchange().record().objectBytes(object.sizeBytes());
    boolean whole = selection instanceof Selection.Whole;
    Response response = Response.of(whole ? 200 : 206);
    ObjectHeaders.validators(response, request.bucket(), object);
    ObjectHeaders.expiry(response, request.bucket(), object);
    ObjectHeaders.backend(response, request);
    response.header(HeaderNames.ACCEPT_RANGES, HeaderNames.BYTES);
    ObjectHeaders.attributes(response, object.attributes(), overrides);
    ObjectHeaders.tagCount(response, request, object.attributes());
    ObjectLocks.show(response, request, object.attributes());
    boolean showsChecksums = "enabled".equalsIgnoreCase(request.header("x-amz-checksum-mode"));
    if (whole) {
      if (showsChecksums) {
        ObjectHeaders.checksums(response, object.checksums());
      }
      return response;
    }
    // Clients reject a part that comes with the checksum of the whole object.
    if (showsChecksums && selection instanceof Selection.Part(int number)) {
      ObjectHeaders.partChecksums(response, object, number);
    }
    if (found.length() > 0) {
      long last = found.offset() + found.length() - 1;
      response.header(
          HeaderNames.CONTENT_RANGE,
          "bytes " + found.offset() + '-' + last + '/' + object.sizeBytes());
    }
    if (selection instanceof Selection.Part && found.partCount() > 0) {
      response.header("x-amz-mp-parts-count", Integer.toString(found.partCount()));
    }
    return response;
  }

  private static Response refusal(S3Request request, Failure failure) {
    if (failure instanceof Failure.NotModified(ObjectMetadata object)) {
      Response response = Response.of(304);
      ObjectHeaders.validators(response, request.bucket(), object);
      return response;
    }
    throw Outcomes.error(request, failure);
  }
}
