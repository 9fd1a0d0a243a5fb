package dev.tarn.gateway.s3.bucket;

import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.object.AccessList;
import dev.tarn.cluster.object.AccessList.Permission;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.request.Headers;
import dev.tarn.gateway.s3.object.WriteParameters;
import dev.tarn.gateway.s3.operation.AclHeaders;
import dev.tarn.gateway.s3.operation.Owner;
import dev.tarn.gateway.s3.operation.S3Operation;
import dev.tarn.gateway.s3.operation.S3Request;
import dev.tarn.gateway.xml.MalformedXmlException;
import dev.tarn.gateway.xml.XmlElement;
import dev.tarn.gateway.xml.XmlReader;
import dev.tarn.gateway.xml.XmlWriter;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The document of an ACL: the owner with full control, and what others may. */
final class AclDocument {
  private static final String POLICY = "AccessControlPolicy";
  private static final String FULL_CONTROL = "FULL_CONTROL";

  private AclDocument() {}

  /**
   * Writes the document.
   *
   * @param names gives a user's name by the id
   */
  static byte[] write(AccessList acl, Owner owner, UnaryOperator<String> names) {
    XmlWriter xml = XmlWriter.document(POLICY, 1024);
    owner.write(xml, "Owner");
    xml.open("AccessControlList");
    grantUser(xml, owner.id(), owner.displayName(), FULL_CONTROL);
    acl.grants()
        .forEach((permission, grantees) -> {
          for (String grantee : grantees) {
            Optional<String> group = AclHeaders.uri(grantee);
            if (group.isPresent()) {
              grantGroup(xml, group.orElseThrow(), permission.name());
            } else {
              grantUser(xml, grantee, names.apply(grantee), permission.name());
            }
          }
        });
    return xml.close("AccessControlList").close(POLICY).bytes();
  }

  private static void grantUser(XmlWriter xml, String id, String name, String permission) {
    xml.open("Grant")
        .openTyped("Grantee", "CanonicalUser")
        .element("ID", id)
        .element("DisplayName", name)
        .close("Grantee")
        .element("Permission", permission)
        .close("Grant");
  }

  private static void grantGroup(XmlWriter xml, String uri, String permission) {
    xml.open("Grant")
        .openTyped("Grantee", "Group")
        .element("URI", uri)
        .close("Grantee")
        .element("Permission", permission)
        .close("Grant");
  }

  /**
   * The ACL that a request sets, by its headers or by its document.
   *
   * @throws S3Exception MalformedACLError, MissingSecurityHeader, UnexpectedContent,
   *     InvalidArgument, InvalidRequest, AccessControlListNotSupported, AccessDenied,
   *     NotImplemented
   */
  static AccessList wanted(S3Request request, byte[] document, ControlPlane control) {
    Headers headers = request.head().headers();
    WriteParameters.refuseWhatWouldBeLost(headers, AclHeaders.GRANT_HEADERS);
    AclHeaders.requireInForce(request.bucket());
    boolean named = AclHeaders.isNamed(headers);
    if (named && document.length > 0) {
      throw S3Exception.of(S3ErrorCode.UNEXPECTED_CONTENT);
    }
    if (!named && document.length == 0) {
      throw S3Exception.of(S3ErrorCode.MISSING_SECURITY_HEADER)
          .with("MissingHeaderName", AclHeaders.HEADER);
    }
    AccessList acl =
        named
            ? AclHeaders.ofHeaders(headers, request.bucket().ownerId())
            : read(document, request.bucket().ownerId());
    AclHeaders.requireUsers(acl, id -> control.state().user(id) != null);
    if (request.operation().level() == S3Operation.Level.OBJECT) {
      AclHeaders.requireKept(acl, request.bucket());
    } else {
      AclHeaders.requireUnblocked(acl, request.bucket());
    }
    return acl;
  }

  /**
   * Parses the ACL of a document.
   *
   * @throws S3Exception MalformedACLError, InvalidArgument, InvalidRequest, and NotImplemented for
   *     other grantees than users and the groups of all users, and for an owner without full
   *     control
   */
  static AccessList read(byte[] document, String ownerId) {
    boolean ownersOwn = false;
    AccessList acl = AccessList.PRIVATE;
    for (XmlElement grant : accessControlList(document).children("Grant")) {
      Permission permission = permission(grant.childText("Permission").orElse(""));
      String grantee =
          grantee(grant.child("Grantee").orElseThrow(() -> malformed("a Grant has no Grantee")));
      ownersOwn |= permission == Permission.FULL_CONTROL && grantee.equals(ownerId);
      acl = AclHeaders.with(acl, permission, grantee, ownerId);
    }
    if (!ownersOwn) {
      throw notImplemented("ACLs without the owner's FULL_CONTROL");
    }
    return acl;
  }

  private static Permission permission(String name) {
    for (Permission permission : Permission.values()) {
      if (permission.name().equals(name)) {
        return permission;
      }
    }
    throw malformed("there is no Permission '" + name + "'");
  }

  private static String grantee(XmlElement grantee) {
    Optional<String> uri = grantee.childText("URI");
    if (uri.isPresent()) {
      return AclHeaders.group(uri.orElseThrow())
          .orElseThrow(() -> notImplemented("Grants to the group " + uri.orElseThrow()));
    }
    return grantee
        .childText("ID")
        .map(AclHeaders::user)
        .orElseThrow(() -> notImplemented("Grants to others than users by their id and groups"));
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
