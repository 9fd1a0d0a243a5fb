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
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** The document of an ACL: the owner with full control, and what everybody or every user may. */
final class AclDocument {
  private static final String POLICY = "AccessControlPolicy";
  private static final String FULL_CONTROL = "FULL_CONTROL";
  private static final String READ = "READ";
  private static final String WRITE = "WRITE";
  private static final String ALL_USERS = "http://acs.amazonaws.com/groups/global/AllUsers";
  private static final String EVERY_USER =
      "http://acs.amazonaws.com/groups/global/AuthenticatedUsers";

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
    switch (acl) {
      case PRIVATE -> {}
      case PUBLIC_READ -> grant(xml, ALL_USERS, READ);
      case PUBLIC_READ_WRITE -> {
        grant(xml, ALL_USERS, READ);
        grant(xml, ALL_USERS, WRITE);
      }
      case AUTHENTICATED_READ -> grant(xml, EVERY_USER, READ);
    }
    return xml.close("AccessControlList").close(POLICY).bytes();
  }

  private static void grant(XmlWriter xml, String group, String permission) {
    xml.open("Grant")
        .openTyped("Grantee", "Group")
        .element("URI", group)
        .close("Grantee")
        .element("Permission", permission)
        .close("Grant");
  }

  /**
   * The ACL that a request sets, by its header or by its document.
   *
   * @throws S3Exception MalformedACLError, MissingSecurityHeader, UnexpectedContent,
   *     InvalidArgument, AccessControlListNotSupported, AccessDenied, and NotImplemented for ACLs
   *     that are not among {@link CannedAcl}
   */
  static CannedAcl wanted(S3Request request, byte[] document) {
    WriteParameters.refuseWhatWouldBeLost(request.head().headers());
    CannedAcls.requireInForce(request.bucket());
    boolean named = request.head().headers().contains(CannedAcls.HEADER);
    if (named && document.length > 0) {
      throw S3Exception.of(S3ErrorCode.UNEXPECTED_CONTENT);
    }
    if (!named && document.length == 0) {
      throw S3Exception.of(S3ErrorCode.MISSING_SECURITY_HEADER)
          .with("MissingHeaderName", CannedAcls.HEADER);
    }
    CannedAcl acl =
        named
            ? CannedAcls.ofHeader(request.head().headers())
            : read(document, request.bucket().ownerId());
    if (request.operation().level() == S3Operation.Level.OBJECT) {
      CannedAcls.requireKept(acl, request.bucket());
    } else {
      CannedAcls.requireUnblocked(acl, request.bucket());
    }
    return acl;
  }

  /**
   * Parses the ACL of a document.
   *
   * @throws S3Exception MalformedACLError, and NotImplemented for grants that no canned ACL has
   */
  static CannedAcl read(byte[] document, String ownerId) {
    boolean ownersOwn = false;
    Set<String> groups = new HashSet<>();
    for (XmlElement grant : accessControlList(document).children("Grant")) {
      String permission = grant.childText("Permission").orElse("");
      XmlElement grantee =
          grant.child("Grantee").orElseThrow(() -> malformed("a Grant has no Grantee"));
      String group = grantee.childText("URI").orElse("");
      if (permission.equals(FULL_CONTROL) && grantee.childText("ID").equals(Optional.of(ownerId))) {
        ownersOwn = true;
      } else if (group.equals(ALL_USERS) || group.equals(EVERY_USER)) {
        groups.add(permission + " " + group);
      } else {
        throw notImplemented("Grants to others than the owner, everybody and every user");
      }
    }
    if (!ownersOwn) {
      throw notImplemented("ACLs without the owner's FULL_CONTROL");
    }
    return canned(groups);
  }

  private static CannedAcl canned(Set<String> groups) {
    String publicRead = READ + " " + ALL_USERS;
    if (groups.isEmpty()) {
      return CannedAcl.PRIVATE;
    }
    if (groups.equals(Set.of(publicRead))) {
      return CannedAcl.PUBLIC_READ;
    }
    if (groups.equals(Set.of(publicRead, WRITE + " " + ALL_USERS))) {
      return CannedAcl.PUBLIC_READ_WRITE;
    }
    if (groups.equals(Set.of(READ + " " + EVERY_USER))) {
      return CannedAcl.AUTHENTICATED_READ;
    }
    throw notImplemented("Grants that no canned ACL has");
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
      throw malformed("it is not a well-formed XML document");
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
