package dev.tarn.gateway.s3.bucket;

import dev.tarn.cluster.control.BucketChange;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.object.CannedAcl;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.s3.object.PermittedReads;
import dev.tarn.gateway.s3.operation.CannedAcls;
import dev.tarn.gateway.s3.operation.Operation;
import dev.tarn.gateway.s3.operation.Outcomes;
import dev.tarn.gateway.s3.operation.Owner;
import dev.tarn.gateway.s3.operation.S3Request;

/** The canned ACLs of buckets and objects. */
public final class Acl {
  private Acl() {}

  /** GetBucketAcl. */
  public record GetOfBucket(ControlPlane control) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      return shown(request.bucket().configuration().acl(), Owner.of(request.bucket(), control));
    }
  }

  /** PutBucketAcl. */
  public record PutOfBucket(ControlPlane control) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      CannedAcl acl = AclDocument.wanted(request, document);
      BucketOperations.change(control, request.bucket(), new BucketChange.SetAcl(acl));
      return Response.of(200);
    }
  }

  /** GetObjectAcl. */
  public record GetOfObject(ControlPlane control, PermittedReads reads)
      implements Operation.Blocking {
    @Override
    public boolean judgesObject() {
      return true;
    }

    @Override
    public Response answer(S3Request request, byte[] document) {
      CannedAcl stored = CannedAcls.of(Outcomes.await(reads.head(request)).metadata());
      boolean disabled = request.bucket().configuration().access().disablesAcls();
      return shown(disabled ? CannedAcl.PRIVATE : stored, Owner.of(request.bucket(), control));
    }
  }

  /** PutObjectAcl. */
  public record PutOfObject(PermittedReads reads) implements Operation.Blocking {
    @Override
    public boolean judgesObject() {
      return true;
    }

    @Override
    public Response answer(S3Request request, byte[] document) {
      CannedAcl acl = AclDocument.wanted(request, document);
      if (request.bucket().settings().backend().isPresent()) {
        // ACLs other than private were refused above, so nothing changes. The read only checks that
        // the object exists.
        ObjectHead present = Outcomes.await(reads.head(request));
        assert present != null;
      } else {
        reads.change(
            request,
            version -> new TargetRequest.SetAcl(request.scope(), request.key(), version, acl));
      }
      return Response.of(200);
    }
  }

  private static Response shown(CannedAcl acl, Owner owner) {
    return Response.of(200).xml(AclDocument.write(acl, owner));
  }
}
