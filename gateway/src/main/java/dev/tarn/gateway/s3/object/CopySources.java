package dev.tarn.gateway.s3.object;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.object.AccessList.Permission;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.TargetRequest.CopySource;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.policy.Action;
import dev.tarn.gateway.request.CopySourceHeader;
import dev.tarn.gateway.route.GatewayView;
import dev.tarn.gateway.s3.operation.Authorization;
import dev.tarn.gateway.s3.operation.BucketAccess;
import dev.tarn.gateway.s3.operation.BucketAccess.Decision;
import dev.tarn.gateway.s3.operation.Numbers;
import dev.tarn.gateway.s3.operation.ObjectPermission;
import dev.tarn.gateway.s3.operation.S3Request;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The sources of copies, as requests name them. */
public final class CopySources {
  private static final String EXPECTED_OWNER = "x-amz-source-expected-bucket-owner";

  private CopySources() {}

  /** Adds the version of the copy source, if the request named one. */
  public static void version(Response response, CopySource source) {
    source.version().ifPresent(id -> response.header("x-amz-copy-source-version-id", id));
  }

  /**
   * The source of a copy.
   *
   * @param object the source object
   * @param access of the caller, to the source's bucket
   * @param decision allowed, or whether the object's own ACL or its tags decide
   */
  public record Source(CopySource object, BucketAccess access, Decision decision)
      implements ObjectPermission {
    /** Whether the caller may read the source's tags, whatever they are. */
    boolean mayReadTags() {
      return access.mayReadTags(object.key(), object.version());
    }

    /** Whether the caller may read these tags of the source. */
    boolean mayReadTags(Map<String, String> tags) {
      return access.withTags(tags).mayReadTags(object.key(), object.version());
    }

    @Override
    public void require(@Nullable ObjectMetadata found) {
      access.require(
          decision, known -> judge(known, object.key(), object.version()), Permission.READ, found);
    }
  }

  private static Decision judge(BucketAccess access, ObjectKey key, Optional<String> version) {
    Action action = version.isEmpty() ? Action.GET_OBJECT : Action.GET_OBJECT_VERSION;
    return access.judge(action, key.text(), null);
  }

  /**
   * Parses the source of a copy and checks the caller's permission. May block on the control plane.
   *
   * @throws S3Exception InvalidArgument, NoSuchBucket, AccessDenied, KeyTooLongError,
   *     ServiceUnavailable
   */
  public static Source parse(S3Request request, GatewayView view) {
    String header = Optional.ofNullable(request.header(CopySourceHeader.NAME)).orElse("");
    CopySourceHeader parsed = CopySourceHeader.parse(header);
    String decoded = parsed.path();
    int slash = decoded.indexOf('/');
    if (slash <= 0 || slash == decoded.length() - 1) {
      throw Numbers.invalid(
          CopySourceHeader.NAME,
          header,
          "Copy Source must mention the source bucket and key: /bucket/key.");
    }
    String bucketName = decoded.substring(0, slash);
    byte[] key = decoded.substring(slash + 1).getBytes(StandardCharsets.UTF_8);
    if (key.length > ObjectKey.BYTES_MAX) {
      throw S3Exception.of(S3ErrorCode.KEY_TOO_LONG);
    }
    Bucket bucket =
        view.find(state -> state.bucket(bucketName))
            .orElseThrow(
                () -> S3Exception.of(S3ErrorCode.NO_SUCH_BUCKET).with("BucketName", bucketName));
    Authorization.requireOwner(request.head().headers(), EXPECTED_OWNER, bucket);
    BucketAccess access = request.bucketAccess().to(bucket);
    Optional<String> named = S3Request.checkedVersion(bucket, parsed.version().orElse(null));
    ObjectKey source = ObjectKey.of(key);
    Decision decision = judge(access, source, named);
    if (decision == Decision.DENIED) {
      throw S3Exception.of(S3ErrorCode.ACCESS_DENIED);
    }
    return new Source(
        new CopySource(
            request.scopeOf(bucket),
            source,
            named,
            ReadParameters.preconditions(
                request.head().headers(), ReadParameters.Conditions.OF_COPY_SOURCE)),
        access,
        decision);
  }
}
