package dev.tarn.gateway.s3.bucket;

import dev.tarn.cluster.control.AccessControls.ObjectOwnership;
import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.BucketChange;
import dev.tarn.cluster.control.BucketNames;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.CommandOutcome.Reason;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.ObjectLockRule;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.AccessList;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.request.Headers;
import dev.tarn.gateway.request.RequestTarget;
import dev.tarn.gateway.s3.object.Tags;
import dev.tarn.gateway.s3.object.WriteParameters;
import dev.tarn.gateway.s3.operation.AclHeaders;
import dev.tarn.gateway.s3.operation.Documents;
import dev.tarn.gateway.s3.operation.Operation;
import dev.tarn.gateway.s3.operation.S3Request;
import dev.tarn.gateway.s3.operation.S3Settings;
import dev.tarn.gateway.xml.XmlElement;
import dev.tarn.gateway.xml.XmlWriter;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** CreateBucket, HeadBucket, GetBucketLocation, DeleteBucket. */
public final class BucketOperations {
  private static final String REGION_WITHOUT_CONSTRAINT = "us-east-1";

  private static final String LOCK_HEADER = "x-amz-bucket-object-lock-enabled";

  /** The elements of a CreateBucketConfiguration; a region is accepted and ignored. */
  private static final Set<String> CONFIGURATION = Set.of("LocationConstraint", "Tags");

  private BucketOperations() {}

  /** CreateBucket. */
  public record Create(ControlPlane control, S3Settings settings) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      String name = ((RequestTarget.OfBucket) request.target()).bucket();
      if (control.state().bucket(name) == null) {
        requireValid(name);
      }
      Headers headers = request.head().headers();
      WriteParameters.refuseWhatWouldBeLost(headers, AclHeaders.GRANT_HEADERS);
      boolean locks = "true".equalsIgnoreCase(request.header(LOCK_HEADER));
      if (locks && settings.bucketDefaults().backend().isPresent()) {
        throw BucketObjectLock.notOfBackends();
      }
      Map<String, String> tags = document.length == 0 ? Map.of() : tags(document);
      AccessList acl = AclHeaders.ofHeaders(headers, request.signer().id());
      AclHeaders.requireUsers(acl, id -> control.state().user(id) != null);
      Optional<ObjectOwnership> ownership = PublicAccess.ofNewBucket(request, acl);
      CommandOutcome outcome =
          control
              .submit(
                  new Command.CreateBucket(
                      System.currentTimeMillis(),
                      name,
                      request.signer().id(),
                      settings.bucketDefaults()))
              .toCompletableFuture()
              .join();
      Bucket existing = maySayThatItExists(outcome) ? control.state().bucket(name) : null;
      if (existing != null) {
        requireOwn(request, existing);
        configure(existing, acl, ownership, tags, locks);
        return Response.of(200).header("Location", "/" + name);
      }
      requireApplied(outcome);
      Bucket made = control.state().bucket(name);
      if (made == null || !made.ownerId().equals(request.signer().id())) {
        throw S3Exception.of(
            S3ErrorCode.OPERATION_ABORTED, "The bucket was deleted as soon as it was created.");
      }
      configure(made, acl, ownership, tags, locks);
      return Response.of(200).header("Location", "/" + name);
    }

    private static void requireValid(String name) {
      BucketNames.problemOfNew(name)
          .ifPresent(problem -> {
            throw S3Exception.of(
                    S3ErrorCode.INVALID_BUCKET_NAME,
                    "The specified bucket is not valid: " + problem + ".")
                .with("BucketName", name);
          });
    }

    /** The tags of a CreateBucketConfiguration. */
    private static Map<String, String> tags(byte[] document) {
      XmlElement configuration = Documents.parse(document, "CreateBucketConfiguration");
      for (XmlElement child : configuration.children()) {
        if (!CONFIGURATION.contains(child.name())) {
          throw S3Exception.of(
                  S3ErrorCode.NOT_IMPLEMENTED,
                  "CreateBucketConfiguration has an element that is not implemented: "
                      + child.name()
                      + ".")
              .with("Header", child.name());
        }
      }
      return configuration.child("Tags").map(Tags::ofBucket).orElse(Map.of());
    }

    private void configure(
        Bucket bucket,
        AccessList acl,
        Optional<ObjectOwnership> ownership,
        Map<String, String> tags,
        boolean locks) {
      ownership
          .or(() -> bucket.configuration().access().ownership())
          .ifPresent(effective -> PublicAccess.requireFitting(effective, acl));
      AclHeaders.requireUnblocked(acl, bucket);
      if (locks && bucket.configuration().objectLock().isEmpty()) {
        lock(bucket);
      }
      if (ownership.isPresent()) {
        change(control, bucket, new BucketChange.SetOwnership(ownership));
      }
      if (!acl.equals(bucket.configuration().acl())) {
        change(control, bucket, new BucketChange.SetAcl(acl));
      }
      if (!tags.isEmpty()) {
        change(control, bucket, new BucketChange.SetTags(tags));
      }
    }

    /** Gives a bucket object lock; also one whose creation was cut short before it had that. */
    private void lock(Bucket bucket) {
      if (bucket.settings().backend().isPresent()) {
        throw BucketObjectLock.notOfBackends();
      }
      change(control, bucket, new BucketChange.SetVersioning(Versioning.ENABLED));
      change(control, bucket, new BucketChange.SetObjectLock(new ObjectLockRule(Optional.empty())));
    }

    /**
     * Whether to report an existing bucket. This also applies while the control plane is away. Some
     * tools create the bucket before each upload; they continue if it exists and fail otherwise.
     */
    private static boolean maySayThatItExists(CommandOutcome outcome) {
      return switch (outcome) {
        case CommandOutcome.Rejected rejected -> rejected.reason() == Reason.BUCKET_EXISTS;
        case CommandOutcome.Unavailable _ -> true;
        case CommandOutcome.Applied _, CommandOutcome.Unconfirmed _ -> false;
      };
    }

    /**
     * Refuses to create an existing bucket. As in S3, its owner may create it again in us-east-1;
     * this replaces its ACL. The owner of a bucket that is being deleted retries.
     */
    private void requireOwn(S3Request request, Bucket existing) {
      boolean own = existing.ownerId().equals(request.signer().id());
      if (own && existing.deletion().isPresent()) {
        throw S3Exception.of(
                S3ErrorCode.OPERATION_ABORTED,
                "Bucket was not created: it is being deleted; retry when that has ended.")
            .with("BucketName", existing.name());
      }
      if (!own || !settings.region().equals(REGION_WITHOUT_CONSTRAINT)) {
        throw S3Exception.of(
                own ? S3ErrorCode.BUCKET_ALREADY_OWNED_BY_YOU : S3ErrorCode.BUCKET_ALREADY_EXISTS)
            .with("BucketName", existing.name());
      }
    }
  }

  /** HeadBucket. */
  public record Head(S3Settings settings) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      return Response.of(200).header("x-amz-bucket-region", settings.region());
    }
  }

  /** GetBucketLocation: an empty element means us-east-1. */
  public record Location(S3Settings settings) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      String region = settings.region();
      XmlWriter xml = XmlWriter.document("LocationConstraint", 256);
      if (!region.equals(REGION_WITHOUT_CONSTRAINT)) {
        xml.text(region);
      }
      return Response.of(200).xml(xml.close("LocationConstraint").bytes());
    }
  }

  /** DeleteBucket. */
  public record Delete(BucketDeletion deletion) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      deletion.delete(request.bucket(), request.context());
      return Response.of(204);
    }
  }

  /**
   * Changes a part of a bucket's configuration. Blocks.
   *
   * @throws S3Exception if the change is not applied
   */
  static void change(ControlPlane control, Bucket bucket, BucketChange change) {
    requireApplied(
        control
            .submit(
                new Command.ConfigureBucket(
                    System.currentTimeMillis(), bucket.name(), bucket.id(), change))
            .toCompletableFuture()
            .join());
  }

  /**
   * The state version of a command that was applied.
   *
   * @throws S3Exception if it was not applied, or not confirmed
   */
  static long requireApplied(CommandOutcome outcome) {
    return switch (outcome) {
      case CommandOutcome.Applied(long version) -> version;
      case CommandOutcome.Unavailable(String message) ->
          throw S3Exception.of(S3ErrorCode.SERVICE_UNAVAILABLE, message);
      case CommandOutcome.Unconfirmed(String message) ->
          throw S3Exception.of(S3ErrorCode.SERVICE_UNAVAILABLE, message);
      case CommandOutcome.Rejected(Reason reason, String message) ->
          throw S3Exception.of(
              switch (reason) {
                case NO_SUCH_BUCKET -> S3ErrorCode.NO_SUCH_BUCKET;
                case INVALID_BUCKET_NAME -> S3ErrorCode.INVALID_BUCKET_NAME;
                case BUCKET_EXISTS -> S3ErrorCode.BUCKET_ALREADY_EXISTS;
                case WRONG_BUCKET_STATE -> S3ErrorCode.INVALID_BUCKET_STATE;
                default -> S3ErrorCode.OPERATION_ABORTED;
              },
              message);
    };
  }
}
