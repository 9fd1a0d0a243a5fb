package dev.tarn.gateway.s3.bucket;

import dev.tarn.cluster.control.BucketChange;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.User;
import dev.tarn.cluster.object.AccessList;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.s3.object.PermittedReads;
import dev.tarn.gateway.s3.operation.BucketAccess.Decision;
import dev.tarn.gateway.s3.operation.Operation;
import dev.tarn.gateway.s3.operation.Outcomes;
import dev.tarn.gateway.s3.operation.Owner;
import dev.tarn.gateway.s3.operation.S3Request;

/** The ACLs of buckets and objects. */
public final class Acl {
  private Acl() {}

  /** GetBucketAcl. */
  public record GetOfBucket(ControlPlane control) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      return shown(request, request.bucket().configuration().acl(), control);
    }
  }

  /** PutBucketAcl. */
  public record PutOfBucket(ControlPlane control) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      AccessList acl = AclDocument.wanted(request, document, control);
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
      AccessList stored = Outcomes.await(reads.head(request)).metadata().attributes().acl();
      boolean disabled = request.bucket().configuration().access().disablesAcls();
      return shown(request, disabled ? AccessList.PRIVATE : stored, control);
    }
  }

  /** PutObjectAcl. */
  public record PutOfObject(ControlPlane control, PermittedReads reads)
      implements Operation.Blocking {
    @Override
    public boolean judgesObject() {
      return true;
    }

    @Override
    public Response answer(S3Request request, byte[] document) {
      if (request.decision() != Decision.ALLOWED) {
        // Who may not replace the ACL is told that, and nothing about the document.
        ObjectHead judged = Outcomes.await(reads.head(request));
        assert judged != null;
      }
      AccessList acl = AclDocument.wanted(request, document, control);
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

  private static Response shown(S3Request request, AccessList acl, ControlPlane control) {
    Owner owner = Owner.of(request.bucket(), control);
    return Response.of(200).xml(AclDocument.write(acl, owner, id -> nameOf(control, id)));
  }

  private static String nameOf(ControlPlane control, String id) {
    User user = control.state().user(id);
    return user == null ? id : user.name();
  }
}
