package dev.tarn.gateway.s3.bucket;

import dev.tarn.cluster.control.AccessControls.ObjectOwnership;
import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.BucketChange;
import dev.tarn.cluster.control.BucketNames;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.CommandOutcome.Reason;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.object.CannedAcl;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.VersionPage;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.request.RequestTarget;
import dev.tarn.gateway.s3.multipart.OpenUploads;
import dev.tarn.gateway.s3.object.WriteParameters;
import dev.tarn.gateway.s3.operation.CannedAcls;
import dev.tarn.gateway.s3.operation.Documents;
import dev.tarn.gateway.s3.operation.Operation;
import dev.tarn.gateway.s3.operation.Outcomes;
import dev.tarn.gateway.s3.operation.S3Request;
import dev.tarn.gateway.s3.operation.S3Settings;
import dev.tarn.gateway.xml.XmlElement;
import dev.tarn.gateway.xml.XmlWriter;
import java.util.Optional;

/** CreateBucket, HeadBucket, GetBucketLocation, DeleteBucket. */
public final class BucketOperations {
  private static final String REGION_WITHOUT_CONSTRAINT = "us-east-1";

  private BucketOperations() {}

  /** CreateBucket. */
  public record Create(ControlPlane control, S3Settings settings) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      String name = ((RequestTarget.OfBucket) request.target()).bucket();
      BucketNames.problemOfNew(name)
          .ifPresent(problem -> {
            throw S3Exception.of(
                    S3ErrorCode.INVALID_BUCKET_NAME,
                    "The specified bucket is not valid: " + problem + ".")
                .with("BucketName", name);
          });
      WriteParameters.refuseWhatWouldBeLost(request.head().headers());
      if ("true".equalsIgnoreCase(request.header("x-amz-bucket-object-lock-enabled"))) {
        throw S3Exception.of(
            S3ErrorCode.NOT_IMPLEMENTED, "Buckets with object lock are not implemented.");
      }
      if (document.length > 0) {
        XmlElement configuration = Documents.parse(document, "CreateBucketConfiguration");
        assert configuration != null;
      }
      CannedAcl acl = CannedAcls.ofHeader(request.head().headers());
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
        configure(existing, acl, ownership);
        return Response.of(200).header("Location", "/" + name);
      }
      requireApplied(outcome);
      Bucket made = control.state().bucket(name);
      if (made != null && made.ownerId().equals(request.signer().id())) {
        configure(made, acl, ownership);
      }
      return Response.of(200).header("Location", "/" + name);
    }

    private void configure(Bucket bucket, CannedAcl acl, Optional<ObjectOwnership> ownership) {
      if (ownership.isPresent()) {
        change(control, bucket, new BucketChange.SetOwnership(ownership));
      }
      if (acl != bucket.configuration().acl()) {
        CannedAcls.requireUnblocked(acl, bucket);
        change(control, bucket, new BucketChange.SetAcl(acl));
      }
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
     * this replaces its ACL.
     */
    private void requireOwn(S3Request request, Bucket existing) {
      boolean own = existing.ownerId().equals(request.signer().id());
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

  /**
   * DeleteBucket: refused while the bucket has a version of any key. Open uploads are aborted with
   * the bucket. A bucket with a backend is only removed here, and the objects at the backend are
   * not checked.
   */
  public record Delete(ControlPlane control, ObjectTarget target) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      if (request.bucket().settings().backend().isEmpty()) {
        requireNoKeys(request);
        requireChangeable();
        OpenUploads.abortAll(target, request.scope());
      }
      requireApplied(
          control
              .submit(
                  new Command.DeleteBucket(
                      System.currentTimeMillis(),
                      request.bucket().name(),
                      Optional.of(request.bucket().id())))
              .toCompletableFuture()
              .join());
      return Response.of(204);
    }

    /**
     * Refuses while the control plane is away. Otherwise uploads would be aborted although the
     * bucket stays.
     */
    private void requireChangeable() {
      if (!control.refresh().toCompletableFuture().join()) {
        throw S3Exception.of(
            S3ErrorCode.SERVICE_UNAVAILABLE,
            "The control plane cannot be asked now, so the bucket stays. Try again later.");
      }
    }

    private void requireNoKeys(S3Request request) {
      VersionPage page =
          Outcomes.await(
              target.call(new TargetRequest.ListVersions(request.scope(), "", "", "", "", 1)));
      if (!page.entries().isEmpty()) {
        throw S3Exception.of(S3ErrorCode.BUCKET_NOT_EMPTY)
            .with("BucketName", request.bucket().name());
      }
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

  /** Throws the error of a command that was not applied, or not confirmed. */
  static void requireApplied(CommandOutcome outcome) {
    switch (outcome) {
      case CommandOutcome.Applied applied -> {}
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
                default -> S3ErrorCode.OPERATION_ABORTED;
              },
              message);
    }
  }
}
