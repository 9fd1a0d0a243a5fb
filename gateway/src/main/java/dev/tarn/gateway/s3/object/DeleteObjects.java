package dev.tarn.gateway.s3.object;

import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.Deleted;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.gateway.error.FailureErrors;
import dev.tarn.gateway.error.S3Error;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.payload.PayloadDecoders;
import dev.tarn.gateway.policy.Action;
import dev.tarn.gateway.request.Headers;
import dev.tarn.gateway.s3.operation.BucketAccess.Decision;
import dev.tarn.gateway.s3.operation.Documents;
import dev.tarn.gateway.s3.operation.Operation;
import dev.tarn.gateway.s3.operation.Outcomes;
import dev.tarn.gateway.s3.operation.S3Request;
import dev.tarn.gateway.s3.operation.S3Settings;
import dev.tarn.gateway.xml.XmlElement;
import dev.tarn.gateway.xml.XmlWriter;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** DeleteObjects: up to 1,000 keys, a limited number of them at the same time. */
public record DeleteObjects(ObjectTarget target, S3Settings settings)
    implements Operation.Blocking {
  private static final int KEYS_MAX = 1000;

  @Override
  public Response answer(S3Request request, byte[] document) {
    requireDigest(request.head().headers());
    XmlElement root = Documents.parse(document, "Delete");
    List<XmlElement> objects = root.children("Object");
    if (objects.isEmpty() || objects.size() > KEYS_MAX) {
      throw Documents.malformed(
          "Delete names " + objects.size() + " objects, must name 1 to " + KEYS_MAX + ".");
    }
    // The whole document is checked first, so a document with an error deletes nothing.
    List<Named> named = objects.stream().map(Named::of).toList();
    boolean quiet = root.childText("Quiet").filter("true"::equalsIgnoreCase).isPresent();
    XmlWriter xml = XmlWriter.document("DeleteResult", 128 * objects.size());
    Queue<Pending> pending = new ArrayDeque<>();
    for (Named object : named) {
      if (pending.size() == settings.limits().deletesInFlightMax()) {
        write(xml, pending.remove(), quiet);
      }
      pending.add(delete(request, object));
    }
    while (!pending.isEmpty()) {
      write(xml, pending.remove(), quiet);
    }
    return Response.of(200).xml(xml.close("DeleteResult").bytes());
  }

  /** Requires a digest of the body. The body has already been verified against its digests. */
  private static void requireDigest(Headers headers) {
    if (headers.first("content-md5") == null
        && PayloadDecoders.announcedChecksums(headers).isEmpty()) {
      throw S3Exception.of(
          S3ErrorCode.INVALID_REQUEST,
          "Missing required header for this request: Content-MD5 OR x-amz-checksum-*");
    }
  }

  private Pending delete(S3Request request, Named object) {
    Action action = object.version.isEmpty() ? Action.DELETE_OBJECT : Action.DELETE_OBJECT_VERSION;
    if (request.bucketAccess().judge(action, object.key, null) != Decision.ALLOWED) {
      return refused(object, S3ErrorCode.ACCESS_DENIED);
    }
    if (object
        .version
        .filter(version -> !S3Request.canBeVersion(request.bucket(), version))
        .isPresent()) {
      return refused(object, S3ErrorCode.NO_SUCH_VERSION);
    }
    try {
      return new Pending(
          object.key,
          object.version,
          target
              .call(
                  new TargetRequest.Delete(
                      request.scope(),
                      ObjectKey.of(object.key),
                      object.version,
                      object.preconditions,
                      ObjectLocks.bypassesGovernance(
                          request.head().headers(), request.bucketAccess(), object.key)))
              .toCompletableFuture());
    } catch (IllegalArgumentException e) {
      return refused(object, S3ErrorCode.KEY_TOO_LONG);
    }
  }

  private static Pending refused(Named object, S3ErrorCode code) {
    return new Pending(
        object.key, object.version, CompletableFuture.failedFuture(S3Exception.of(code)));
  }

  private static void write(XmlWriter xml, Pending pending, boolean quiet) {
    S3Error error = pending.error();
    if (error != null) {
      xml.open("Error").element("Key", pending.key);
      pending.version.ifPresent(id -> xml.element("VersionId", id));
      xml.element("Code", error.code().code()).element("Message", error.message()).close("Error");
    } else if (!quiet) {
      xml.open("Deleted").element("Key", pending.key);
      pending.version.ifPresent(id -> xml.element("VersionId", id));
      Deleted deleted = Outcomes.await(pending.outcome);
      if (deleted.deleteMarker()) {
        xml.element("DeleteMarker", true).element("DeleteMarkerVersionId", deleted.versionText());
      }
      xml.close("Deleted");
    }
  }

  /** One object of the document. */
  private record Named(String key, Optional<String> version, Preconditions preconditions) {
    static Named of(XmlElement object) {
      String key =
          object
              .childVerbatim("Key")
              .filter(text -> !text.isEmpty())
              .orElseThrow(() -> Documents.malformed("An Object has no Key."));
      Optional<String> version = object.childText("VersionId").filter(id -> !id.isEmpty());
      return new Named(key, version, preconditions(object));
    }

    private static Preconditions preconditions(XmlElement object) {
      Optional<String> etag = object.childText("ETag").filter(text -> !text.isEmpty());
      Preconditions ofEtag =
          etag.isEmpty()
              ? Preconditions.NONE
              : new Preconditions(
                  List.of(ReadParameters.unquoted(etag.orElseThrow())),
                  List.of(),
                  OptionalLong.empty(),
                  OptionalLong.empty());
      return WriteParameters.ofDeletion(
          ofEtag,
          object.childText("Size").orElse(null),
          object.childText("LastModifiedTime").orElse(null));
    }
  }

  private record Pending(
      String key, Optional<String> version, CompletableFuture<Outcome<Deleted>> outcome) {
    /** Why the key was not deleted, or null if it was. */
    @Nullable S3Error error() {
      try {
        return outcome.join() instanceof Outcome.Failed<Deleted>(Failure failure)
            ? FailureErrors.errorOf(failure)
            : null;
      } catch (CompletionException e) {
        return e.getCause() instanceof S3Exception expected
            ? expected.error()
            : S3Error.of(S3ErrorCode.INTERNAL_ERROR);
      }
    }
  }
}
