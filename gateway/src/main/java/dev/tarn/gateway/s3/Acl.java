package dev.tarn.gateway.s3;

import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.xml.XmlElement;
import dev.tarn.gateway.xml.XmlWriter;
import java.util.List;
import java.util.Optional;

/**
 * The ACLs of buckets and objects, which cannot be other than private: reading says so, and writing
 * what holds anyway succeeds.
 */
final class Acl {
  private static final String POLICY = "AccessControlPolicy";
  private static final String FULL_CONTROL = "FULL_CONTROL";

  private Acl() {}

  /** GetBucketAcl and GetObjectAcl. */
  record Get(ControlPlane control, ObjectTarget target) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      requireObject(target, request);
      Owner owner = Owner.of(request.bucket(), control);
      XmlWriter xml = XmlWriter.document(POLICY, 1024);
      owner.write(xml, "Owner");
      xml.open("AccessControlList")
          .open("Grant")
          .openTyped("Grantee", "CanonicalUser")
          .element("ID", owner.id())
          .element("DisplayName", owner.displayName())
          .close("Grantee")
          .element("Permission", FULL_CONTROL)
          .close("Grant")
          .close("AccessControlList");
      return Response.of(200).xml(xml.close(POLICY).bytes());
    }
  }

  /** PutBucketAcl and PutObjectAcl. */
  record Put(ObjectTarget target) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      WriteParameters.refuseWhatWouldBeLost(request.head().headers());
      requireObject(target, request);
      if (document.length > 0 && !isPrivate(document, request.bucket().ownerId())) {
        throw S3Exception.of(
            S3ErrorCode.NOT_IMPLEMENTED,
            "Grants to others than the owner are not implemented; a bucket may be opened to"
                + " anonymous readers by its settings.");
      }
      return Response.of(200);
    }
  }

  private static boolean isPrivate(byte[] document, String ownerId) {
    XmlElement policy = Documents.parse(document, POLICY);
    List<XmlElement> grants =
        policy
            .child("AccessControlList")
            .orElseThrow(() -> Documents.malformed(POLICY + " has no AccessControlList."))
            .children("Grant");
    return grants.stream()
        .allMatch(grant ->
            grant.childText("Permission").equals(Optional.of(FULL_CONTROL))
                && grant
                    .child("Grantee")
                    .flatMap(grantee -> grantee.childText("ID"))
                    .equals(Optional.of(ownerId)));
  }

  private static void requireObject(ObjectTarget target, S3Request request) {
    if (request.operation().level() == S3Operation.Level.OBJECT) {
      Outcomes.await(
          target.head(
              new TargetRequest.Head(
                  request.scope(),
                  request.key(),
                  request.version(),
                  Selection.WHOLE,
                  Preconditions.NONE)));
    }
  }
}
