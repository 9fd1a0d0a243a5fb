package dev.tarn.gateway.s3;

import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.request.Addressing;
import dev.tarn.gateway.route.GatewayView;
import dev.tarn.gateway.route.ReadTickets;
import dev.tarn.gateway.s3.bucket.Acl;
import dev.tarn.gateway.s3.bucket.BucketCors;
import dev.tarn.gateway.s3.bucket.BucketDeletion;
import dev.tarn.gateway.s3.bucket.BucketLifecycle;
import dev.tarn.gateway.s3.bucket.BucketObjectLock;
import dev.tarn.gateway.s3.bucket.BucketOperations;
import dev.tarn.gateway.s3.bucket.BucketPolicy;
import dev.tarn.gateway.s3.bucket.BucketTags;
import dev.tarn.gateway.s3.bucket.BucketVersioning;
import dev.tarn.gateway.s3.bucket.ListBuckets;
import dev.tarn.gateway.s3.bucket.PublicAccess;
import dev.tarn.gateway.s3.form.PostObject;
import dev.tarn.gateway.s3.listing.ListObjects;
import dev.tarn.gateway.s3.listing.ListVersions;
import dev.tarn.gateway.s3.multipart.CompleteUpload;
import dev.tarn.gateway.s3.multipart.ListUploads;
import dev.tarn.gateway.s3.multipart.UploadOperations;
import dev.tarn.gateway.s3.multipart.UploadPart;
import dev.tarn.gateway.s3.object.CopyObject;
import dev.tarn.gateway.s3.object.DeleteObjects;
import dev.tarn.gateway.s3.object.DirectRead;
import dev.tarn.gateway.s3.object.ObjectCopies;
import dev.tarn.gateway.s3.object.ObjectLocks;
import dev.tarn.gateway.s3.object.ObjectSummary;
import dev.tarn.gateway.s3.object.ObjectTags;
import dev.tarn.gateway.s3.object.ObjectUrls;
import dev.tarn.gateway.s3.object.PermittedReads;
import dev.tarn.gateway.s3.object.ReadObject;
import dev.tarn.gateway.s3.object.WriteObject;
import dev.tarn.gateway.s3.operation.Operation;
import dev.tarn.gateway.s3.operation.S3Operation;
import dev.tarn.gateway.s3.operation.S3Settings;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;

/** Creates the implementation of each operation. */
final class OperationRegistry {
  private OperationRegistry() {}

  /** One implementation for each operation. */
  static Map<S3Operation, Operation> create(
      S3Settings settings, GatewayView view, ObjectTarget target, ReadTickets tickets) {
    Map<S3Operation, Operation> operations = new EnumMap<>(S3Operation.class);
    for (S3Operation operation : S3Operation.values()) {
      operations.put(operation, create(operation, settings, view, target, tickets));
    }
    return operations;
  }

  private static Operation create(
      S3Operation operation,
      S3Settings settings,
      GatewayView view,
      ObjectTarget target,
      ReadTickets tickets) {
    ControlPlane control = view.control();
    ObjectCopies copies = new ObjectCopies(target, control);
    PermittedReads reads = new PermittedReads(target);
    ObjectUrls urls = new ObjectUrls(new Addressing(settings.domains()));
    return switch (operation) {
      case LIST_BUCKETS -> new ListBuckets(control, settings);
      case CREATE_BUCKET -> new BucketOperations.Create(control, settings);
      case HEAD_BUCKET -> new BucketOperations.Head(settings);
      case DELETE_BUCKET ->
          new BucketOperations.Delete(new BucketDeletion(control, target, InstantSource.system()));
      case GET_BUCKET_LOCATION -> new BucketOperations.Location(settings);
      case LIST_OBJECTS -> new ListObjects.V1(target, control);
      case LIST_OBJECTS_V2 -> new ListObjects.V2(target, control);
      case POST_OBJECT -> new PostObject(target, view, settings, urls);
      case LIST_OBJECT_VERSIONS -> new ListVersions(target, control);
      case DELETE_OBJECTS -> new DeleteObjects(target, settings);
      case LIST_MULTIPART_UPLOADS -> new ListUploads.Of(target, control);
      case GET_OBJECT -> new ReadObject.Get(reads, new DirectRead(tickets));
      case HEAD_OBJECT -> new ReadObject.Head(reads);
      case PUT_OBJECT -> new WriteObject.Put(target, settings);
      case COPY_OBJECT -> new CopyObject(copies, view);
      case DELETE_OBJECT -> new WriteObject.Delete(target);
      case GET_OBJECT_ATTRIBUTES -> new ObjectSummary(reads);
      case GET_OBJECT_TAGGING -> new ObjectTags.Get(reads);
      case PUT_OBJECT_TAGGING -> new ObjectTags.Put(reads);
      case DELETE_OBJECT_TAGGING -> new ObjectTags.Delete(reads);
      case GET_BUCKET_ACL -> new Acl.GetOfBucket(control);
      case PUT_BUCKET_ACL -> new Acl.PutOfBucket(control);
      case GET_OBJECT_ACL -> new Acl.GetOfObject(control, reads);
      case PUT_OBJECT_ACL -> new Acl.PutOfObject(control, reads);
      case CREATE_MULTIPART_UPLOAD -> new UploadOperations.Create(target);
      case UPLOAD_PART -> new UploadPart.Put(target, settings);
      case UPLOAD_PART_COPY -> new UploadPart.Copy(copies, view);
      case COMPLETE_MULTIPART_UPLOAD -> new CompleteUpload(target, urls);
      case ABORT_MULTIPART_UPLOAD -> new UploadOperations.Abort(target);
      case LIST_PARTS -> new ListUploads.Parts(target, control);
      case GET_BUCKET_VERSIONING -> new BucketVersioning.Get();
      case PUT_BUCKET_VERSIONING -> new BucketVersioning.Put(control);
      case GET_BUCKET_NOTIFICATION -> new Stub.Empty("NotificationConfiguration");
      case GET_BUCKET_LOGGING -> new Stub.Empty("BucketLoggingStatus");
      case GET_BUCKET_ACCELERATE -> new Stub.Empty("AccelerateConfiguration");
      case GET_BUCKET_REQUEST_PAYMENT -> new Stub.RequestPayment();
      case GET_BUCKET_POLICY -> new BucketPolicy.Get();
      case PUT_BUCKET_POLICY -> new BucketPolicy.Put(view);
      case DELETE_BUCKET_POLICY -> new BucketPolicy.Delete(control);
      case GET_BUCKET_POLICY_STATUS -> new BucketPolicy.Status();
      case GET_BUCKET_CORS -> new BucketCors.Get();
      case PUT_BUCKET_CORS -> new BucketCors.Put(control);
      case DELETE_BUCKET_CORS -> new BucketCors.Delete(control);
      case OPTIONS_BUCKET, OPTIONS_OBJECT -> new BucketCors.Preflight();
      case GET_BUCKET_LIFECYCLE -> new BucketLifecycle.Get();
      case PUT_BUCKET_LIFECYCLE -> new BucketLifecycle.Put(control);
      case DELETE_BUCKET_LIFECYCLE -> new BucketLifecycle.Delete(control);
      case GET_BUCKET_TAGGING -> new BucketTags.Get();
      case PUT_BUCKET_TAGGING -> new BucketTags.Put(control);
      case DELETE_BUCKET_TAGGING -> new BucketTags.Delete(control);
      case GET_BUCKET_WEBSITE -> new Stub.Missing(S3ErrorCode.NO_SUCH_WEBSITE_CONFIGURATION);
      case GET_OBJECT_LOCK_CONFIGURATION -> new BucketObjectLock.Get();
      case PUT_OBJECT_LOCK_CONFIGURATION -> new BucketObjectLock.Put(control);
      case GET_OBJECT_RETENTION -> new ObjectLocks.GetRetention(reads);
      case PUT_OBJECT_RETENTION -> new ObjectLocks.PutRetention(reads);
      case GET_OBJECT_LEGAL_HOLD -> new ObjectLocks.GetLegalHold(reads);
      case PUT_OBJECT_LEGAL_HOLD -> new ObjectLocks.PutLegalHold(reads);
      case GET_BUCKET_ENCRYPTION ->
          new Stub.Missing(S3ErrorCode.SERVER_SIDE_ENCRYPTION_CONFIGURATION_NOT_FOUND_ERROR);
      case GET_BUCKET_REPLICATION ->
          new Stub.Missing(S3ErrorCode.REPLICATION_CONFIGURATION_NOT_FOUND_ERROR);
      case GET_PUBLIC_ACCESS_BLOCK -> new PublicAccess.GetBlock();
      case PUT_PUBLIC_ACCESS_BLOCK -> new PublicAccess.PutBlock(control);
      case DELETE_PUBLIC_ACCESS_BLOCK -> new PublicAccess.DeleteBlock(control);
      case GET_OWNERSHIP_CONTROLS -> new PublicAccess.GetOwnership();
      case PUT_OWNERSHIP_CONTROLS -> new PublicAccess.PutOwnership(control);
      case DELETE_OWNERSHIP_CONTROLS -> new PublicAccess.DeleteOwnership(control);
    };
  }
}
