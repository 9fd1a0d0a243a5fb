package dev.tarn.gateway.s3.bucket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.AccessList;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.fuzz.FuzzInput;
import dev.tarn.gateway.fuzz.ParserFuzz;
import dev.tarn.gateway.s3.operation.Owner;
import dev.tarn.gateway.xml.MalformedXmlException;
import dev.tarn.gateway.xml.XmlElement;
import dev.tarn.gateway.xml.XmlReader;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A document that is taken opens no more than each of its grants says, and is shown as one. */
class AclDocumentFuzz extends ParserFuzz {
  private static final String OWNER = "u-1";
  private static final String OWNERS =
      "<Grant><Grantee xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\""
          + " xsi:type=\"CanonicalUser\"><ID>u-1</ID></Grantee>"
          + "<Permission>FULL_CONTROL</Permission></Grant>";
  private static final String EVERYBODYS = toGroup("AllUsers", "READ");
  private static final String WRITERS = toGroup("AllUsers", "WRITE");
  private static final String USERS = toGroup("AuthenticatedUsers", "READ");

  private static final String BOBS =
      OWNERS.replace("u-1", "u-2").replace("FULL_CONTROL", "READ_ACP");

  AclDocumentFuzz() {
    super(
        texts(
            document(OWNERS),
            document(EVERYBODYS + OWNERS),
            document(OWNERS + WRITERS + EVERYBODYS),
            document(OWNERS + USERS),
            document(BOBS + OWNERS)),
        Set.of(S3Exception.class));
  }

  private static String toGroup(String group, String permission) {
    return "<Grant><Grantee><URI>http://acs.amazonaws.com/groups/global/"
        + (group + "</URI></Grantee><Permission>" + permission + "</Permission></Grant>");
  }

  private static String document(String grants) {
    return "<AccessControlPolicy xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Owner>"
        + "<ID>u-1</ID><DisplayName>example</DisplayName></Owner><AccessControlList>\n"
        + grants
        + "</AccessControlList></AccessControlPolicy>";
  }

  @Override
  protected void parse(FuzzInput input) throws MalformedXmlException {
    AccessList acl = read(input.bytes());
    byte[] written = AclDocument.write(acl, new Owner(OWNER, "example"), id -> "name of " + id);
    assertThat(read(written)).isEqualTo(acl);

    Set<String> opened = new HashSet<>();
    XmlElement list = XmlReader.read(input.bytes()).child("AccessControlList").orElseThrow();
    for (XmlElement grant : list.children("Grant")) {
      XmlElement grantee = grant.child("Grantee").orElseThrow();
      String whom = grantee.childText("URI").or(() -> grantee.childText("ID")).orElseThrow();
      String what = grant.childText("Permission").orElseThrow();
      if (!whom.equals(OWNER)) {
        opened.add(what + " " + whom.replaceFirst("^http.*/", ""));
      }
    }
    Set<String> told = new HashSet<>();
    acl.grants()
        .forEach((permission, grantees) -> {
          for (String grantee : grantees) {
            told.add(
                permission
                    + " "
                    + switch (grantee) {
                      case AccessList.EVERYBODY -> "AllUsers";
                      case AccessList.EVERY_USER -> "AuthenticatedUsers";
                      default -> grantee;
                    });
          }
        });
    assertThat(told).isEqualTo(opened);
  }

  private static AccessList read(byte[] document) {
    try {
      return AclDocument.read(document, OWNER);
    } catch (S3Exception e) {
      assertThat(e.code())
          .isIn(
              S3ErrorCode.MALFORMED_ACL_ERROR,
              S3ErrorCode.NOT_IMPLEMENTED,
              S3ErrorCode.INVALID_ARGUMENT,
              S3ErrorCode.INVALID_REQUEST);
      throw e;
    }
  }

  @Override
  protected byte @Nullable [] valid(SplittableRandom random) {
    if (random.nextBoolean()) {
      return null;
    }
    String others = List.of(EVERYBODYS, USERS, BOBS).get(random.nextInt(3));
    StringBuilder grants = new StringBuilder(OWNERS);
    while (random.nextBoolean()) {
      String grant = random.nextBoolean() ? OWNERS : others;
      grants.insert(random.nextBoolean() ? 0 : grants.length(), grant);
    }
    return document(grants.toString()).getBytes(UTF_8);
  }

  @Override
  protected List<String> vocabulary() {
    return List.of(
        "<Grant>",
        "</Grant>",
        "<Grantee>",
        "</Grantee>",
        "<ID>",
        "<ID>u-2</ID>",
        "<URI>",
        "<EmailAddress>",
        "<Permission>",
        "<Permission>WRITE</Permission>",
        "READ_ACP",
        "AuthenticatedUsers",
        "<AccessControlList>",
        "<AccessControlList/>",
        "&lt;");
  }

  @Override
  protected int allocatedPerByteMax() {
    return 512;
  }
}
