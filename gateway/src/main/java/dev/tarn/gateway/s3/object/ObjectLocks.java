package dev.tarn.gateway.s3.object;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectLock;
import dev.tarn.cluster.object.ObjectLock.Change;
import dev.tarn.cluster.object.ObjectLock.Retention;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.policy.Action;
import dev.tarn.gateway.request.Headers;
import dev.tarn.gateway.s3.operation.BucketAccess;
import dev.tarn.gateway.s3.operation.BucketAccess.Decision;
import dev.tarn.gateway.s3.operation.Documents;
import dev.tarn.gateway.s3.operation.Numbers;
import dev.tarn.gateway.s3.operation.Operation;
import dev.tarn.gateway.s3.operation.Outcomes;
import dev.tarn.gateway.s3.operation.S3Request;
import dev.tarn.gateway.s3.operation.Timestamps;
import dev.tarn.gateway.xml.XmlElement;
import dev.tarn.gateway.xml.XmlWriter;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The retention and the legal hold of versions, in requests of their own and in headers. */
public final class ObjectLocks {
  private static final String RETENTION = "Retention";
  private static final String UNTIL = "RetainUntilDate";
  private static final String HOLD = "LegalHold";
  private static final String OFF = "OFF";
  private static final int YEAR_MAX = 9999;
  private static final String BYPASS = "x-amz-bypass-governance-retention";

  private ObjectLocks() {}

  /** GetObjectRetention. */
  public record GetRetention(PermittedReads reads) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      Retention retention =
          lockOf(reads, request).retention().orElseThrow(() -> withoutLock(request));
      return Response.of(200)
          .xml(
              XmlWriter.document(RETENTION, 256)
                  .element("Mode", retention.mode().name())
                  .element(UNTIL, Timestamps.iso(retention.untilMs()))
                  .close(RETENTION)
                  .bytes());
    }
  }

  /** PutObjectRetention; an empty document removes the retention. */
  public record PutRetention(PermittedReads reads) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      requireLocking(request.bucket());
      XmlElement root = Documents.parse(document, RETENTION);
      Optional<Retention> retention =
          root.children().isEmpty()
              ? Optional.empty()
              : Optional.of(
                  retention(root.childText("Mode").orElse(""), root.childText(UNTIL).orElse("")));
      boolean bypasses =
          bypassesGovernance(
              request.head().headers(), request.bucketAccess(), request.key().text());
      return changed(reads, request, new Change.Retain(retention, bypasses));
    }

    private static Retention retention(String mode, String until) {
      try {
        return new Retention(mode(mode), future(UNTIL, until));
      } catch (DateTimeException e) {
        throw Documents.malformed(UNTIL + " is '" + until + "', must be a time in ISO 8601.");
      }
    }
  }

  /** GetObjectLegalHold. */
  public record GetLegalHold(PermittedReads reads) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      String status = lockOf(reads, request).legalHold() ? ObjectLock.ON : OFF;
      return Response.of(200)
          .xml(XmlWriter.document(HOLD, 256).element("Status", status).close(HOLD).bytes());
    }
  }

  /** PutObjectLegalHold. */
  public record PutLegalHold(PermittedReads reads) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      requireLocking(request.bucket());
      String status = Documents.parse(document, HOLD).childText("Status").orElse("");
      if (!status.equals(ObjectLock.ON) && !status.equals(OFF)) {
        throw Documents.malformed("Status is '" + status + "', must be ON or OFF.");
      }
      return changed(reads, request, new Change.Hold(status.equals(ObjectLock.ON)));
    }
  }

  private static Response changed(PermittedReads reads, S3Request request, Change change) {
    reads.change(
        request,
        version -> new TargetRequest.SetLock(request.scope(), request.key(), version, change));
    return Response.of(200);
  }

  private static ObjectLock lockOf(PermittedReads reads, S3Request request) {
    requireLocking(request.bucket());
    return Outcomes.await(reads.head(request)).metadata().attributes().lock();
  }

  private static S3Exception withoutLock(S3Request request) {
    return S3Exception.of(S3ErrorCode.NO_SUCH_OBJECT_LOCK_CONFIGURATION)
        .with("Key", request.key().text());
  }

  /**
   * The retention mode of this name.
   *
   * @throws S3Exception MalformedXML
   */
  public static ObjectLock.Mode mode(String name) {
    return findMode(name)
        .orElseThrow(
            () -> Documents.malformed("Mode is '" + name + "', must be GOVERNANCE or COMPLIANCE."));
  }

  private static Optional<ObjectLock.Mode> findMode(String name) {
    return ObjectLock.Mode.CODES.stream().filter(mode -> mode.name().equals(name)).findFirst();
  }

  /**
   * The protection that the headers of a write name. The target adds the default retention of the
   * bucket.
   *
   * @throws S3Exception InvalidRequest, InvalidArgument
   */
  static ObjectLock named(Headers headers, Bucket bucket) {
    String mode = headers.first(ObjectLock.MODE);
    String until = headers.first(ObjectLock.RETAIN_UNTIL);
    String hold = headers.first(ObjectLock.LEGAL_HOLD);
    if (mode != null || until != null || hold != null) {
      requireLocking(bucket);
    }
    Optional<Retention> retention =
        mode != null || until != null ? Optional.of(ofHeaders(mode, until)) : Optional.empty();
    return new ObjectLock(retention, hold != null && isOn(hold));
  }

  private static Retention ofHeaders(@Nullable String mode, @Nullable String until) {
    if (mode == null || until == null) {
      throw Numbers.invalid(
          mode == null ? ObjectLock.MODE : ObjectLock.RETAIN_UNTIL,
          "",
          ObjectLock.RETAIN_UNTIL + " and " + ObjectLock.MODE + " must both be supplied");
    }
    try {
      return new Retention(
          findMode(mode)
              .orElseThrow(
                  () -> Numbers.invalid(ObjectLock.MODE, mode, "Unknown wormMode directive.")),
          future(ObjectLock.RETAIN_UNTIL, until));
    } catch (DateTimeException e) {
      throw Numbers.invalid(
          ObjectLock.RETAIN_UNTIL,
          until,
          "The retain until date must be provided in ISO 8601 format");
    }
  }

  private static boolean isOn(String hold) {
    if (!hold.equals(ObjectLock.ON) && !hold.equals(OFF)) {
      throw Numbers.invalid(
          ObjectLock.LEGAL_HOLD, hold, "Legal Hold must be either of 'ON' or 'OFF'");
    }
    return hold.equals(ObjectLock.ON);
  }

  /**
   * A time in the future, in milliseconds since 1970.
   *
   * @throws DateTimeException if the text is no time in ISO 8601, of a year with four digits
   * @throws S3Exception InvalidArgument
   */
  private static long future(String name, String until) {
    OffsetDateTime time = OffsetDateTime.parse(until);
    if (time.getYear() > YEAR_MAX) {
      throw new DateTimeException("a year of more than four digits");
    }
    long untilMs = time.toInstant().toEpochMilli();
    if (untilMs <= System.currentTimeMillis()) {
      throw Numbers.invalid(name, until, "The retain until date must be in the future!");
    }
    return untilMs;
  }

  private static void requireLocking(Bucket bucket) {
    if (bucket.configuration().objectLock().isEmpty()) {
      throw S3Exception.of(
              S3ErrorCode.INVALID_REQUEST, "Bucket is missing Object Lock Configuration")
          .with("BucketName", bucket.name());
    }
  }

  /**
   * Whether a request asks to end a retention in the governance mode, and the caller has the
   * permission.
   */
  static boolean bypassesGovernance(Headers headers, BucketAccess access, String key) {
    return "true".equalsIgnoreCase(headers.first(BYPASS))
        && access.judge(Action.BYPASS_GOVERNANCE_RETENTION, key, null) == Decision.ALLOWED;
  }

  /** The headers of the protection, as far as the caller may read it. */
  static void show(Response response, S3Request request, ObjectAttributes attributes) {
    ObjectLock lock = attributes.lock();
    if (lock.equals(ObjectLock.NONE)) {
      return;
    }
    BucketAccess access = request.bucketAccess().withTags(attributes.tags());
    String key = request.key().text();
    if (access.judge(Action.GET_OBJECT_RETENTION, key, null) == Decision.ALLOWED) {
      lock.retention()
          .ifPresent(retention ->
              response
                  .header(ObjectLock.MODE, retention.mode().name())
                  .header(ObjectLock.RETAIN_UNTIL, Timestamps.iso(retention.untilMs())));
    }
    if (lock.legalHold()
        && access.judge(Action.GET_OBJECT_LEGAL_HOLD, key, null) == Decision.ALLOWED) {
      response.header(ObjectLock.LEGAL_HOLD, ObjectLock.ON);
    }
  }
}
