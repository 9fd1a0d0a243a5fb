package dev.tarn.gateway.s3.bucket;

import dev.tarn.cluster.object.CannedAcl;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.s3.object.WriteParameters;
import dev.tarn.gateway.s3.operation.CannedAcls;
import dev.tarn.gateway.s3.operation.Owner;
import dev.tarn.gateway.s3.operation.S3Operation;
import dev.tarn.gateway.s3.operation.S3Request;
import dev.tarn.gateway.xml.MalformedXmlException;
import dev.tarn.gateway.xml.XmlElement;
import dev.tarn.gateway.xml.XmlReader;
import dev.tarn.gateway.xml.XmlWriter;
import java.util.Optional;

/** The document of an ACL: the owner with full control, and whether everybody may read. */
final class AclDocument {
  private static final String POLICY = "AccessControlPolicy";
  private static final String FULL_CONTROL = "FULL_CONTROL";
  private static final String READ = "READ";
  private static final String ALL_USERS = "http://acs.amazonaws.com/groups/global/AllUsers";

  private AclDocument() {}

  /** Writes the document. */
  static byte[] write(CannedAcl acl, Owner owner) {
    XmlWriter xml = XmlWriter.document(POLICY, 1024);
    owner.write(xml, "Owner");
    xml.open("AccessControlList")
        .open("Grant")
        .openTyped("Grantee", "CanonicalUser")
        .element("ID", owner.id())
        .element("DisplayName", owner.displayName())
        .close("Grantee")
        .element("Permission", FULL_CONTROL)
        .close("Grant");
    if (acl == CannedAcl.PUBLIC_READ) {
      xml.open("Grant")
          .openTyped("Grantee", "Group")
          .element("URI", ALL_USERS)
          .close("Grantee")
          .element("Permission", READ)
          .close("Grant");
    }
    return xml.close("AccessControlList").close(POLICY).bytes();
  }

  /**
   * The ACL that a request sets, by its header or by its document.
   *
   * @throws S3Exception MalformedACLError, MissingSecurityHeader, UnexpectedContent,
   *     InvalidArgument, and NotImplemented for ACLs other than private and public-read
   */
  static CannedAcl wanted(S3Request request, byte[] document) {
    WriteParameters.refuseWhatWouldBeLost(request.head().headers());
    boolean named = request.head().headers().contains(CannedAcls.HEADER);
    if (named && document.length > 0) {
      throw S3Exception.of(S3ErrorCode.UNEXPECTED_CONTENT);
    }
    if (named) {
      return request.operation().level() == S3Operation.Level.OBJECT
          ? CannedAcls.ofObject(request.head().headers(), request.bucket())
          : CannedAcls.ofHeader(request.head().headers());
    }
    if (document.length == 0) {
      throw S3Exception.of(S3ErrorCode.MISSING_SECURITY_HEADER)
          .with("MissingHeaderName", CannedAcls.HEADER);
    }
    CannedAcl acl = read(document, request.bucket().ownerId());
    if (request.operation().level() == S3Operation.Level.OBJECT) {
      CannedAcls.requireKept(acl, request.bucket());
    }
    return acl;
  }

  /**
   * Parses the ACL of a document.
   *
   * @throws S3Exception MalformedACLError, and NotImplemented for ACLs other than private and
   *     public-read
   */
  static CannedAcl read(byte[] document, String ownerId) {
    boolean ownersOwn = false;
    boolean isPublic = false;
    for (XmlElement grant : accessControlList(document).children("Grant")) {
      Optional<String> permission = grant.childText("Permission");
      XmlElement grantee =
          grant.child("Grantee").orElseThrow(() -> malformed("a Grant has no Grantee"));
      if (permission.equals(Optional.of(FULL_CONTROL))
          && grantee.childText("ID").equals(Optional.of(ownerId))) {
        ownersOwn = true;
      } else if (permission.equals(Optional.of(READ))
          && grantee.childText("URI").equals(Optional.of(ALL_USERS))) {
        isPublic = true;
      } else {
        throw notImplemented("Other grants than the owner's FULL_CONTROL and everybody's READ");
      }
    }
    if (!ownersOwn) {
      throw notImplemented("ACLs without the owner's FULL_CONTROL");
    }
    return isPublic ? CannedAcl.PUBLIC_READ : CannedAcl.PRIVATE;
  }

  private static XmlElement accessControlList(byte[] document) {
    try {
      XmlElement root = XmlReader.read(document);
      if (!root.name().equals(POLICY)) {
        throw malformed("the root element is " + root.name() + ", must be " + POLICY);
      }
      return root.child("AccessControlList")
          .orElseThrow(() -> malformed(POLICY + " has no AccessControlList"));
    } catch (MalformedXmlException e) {
      throw malformed("it is no XML document that is taken here");
    }
  }

  private static S3Exception malformed(String why) {
    return S3Exception.of(
        S3ErrorCode.MALFORMED_ACL_ERROR, S3ErrorCode.MALFORMED_ACL_ERROR.message() + " " + why);
  }

  private static S3Exception notImplemented(String what) {
    return S3Exception.of(S3ErrorCode.NOT_IMPLEMENTED, what + " are not implemented.");
  }
}
