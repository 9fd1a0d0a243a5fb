package dev.tarn.gateway;

import static dev.tarn.gateway.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.Grant;
import software.amazon.awssdk.services.s3.model.OwnershipControlsRule;
import software.amazon.awssdk.services.s3.model.PutObjectAclRequest;

/** Grants of ACLs to single users. */
class GrantsTest {
  private static final RequestBody BODY = RequestBody.fromString("content");
  private static final String BOBS = "id=\"bob-id\"";

  private WireFixture wire;
  private S3Client alice;
  private S3Client bob;
  private S3Client carol;
  private S3Client anybody;

  @BeforeEach
  void start() {
    wire = new WireFixture("wire");
    alice = wire.s3();
    bob = wire.gateway().client(GatewayFixture.BOB);
    wire.gateway().addUser("carol", false, "CAROLKEY");
    carol = wire.gateway().client("CAROLKEY");
    anybody = wire.gateway().anonymous();
    alice.createBucket(r -> r.bucket("alices"));
    alice.putObject(r -> r.bucket("alices").key("k"), BODY);
  }

  @AfterEach
  void stop() {
    bob.close();
    carol.close();
    anybody.close();
    wire.close();
  }

  private void grant(Consumer<PutObjectAclRequest.Builder> grants) {
    alice.putObjectAcl(r -> grants.accept(r.bucket("alices").key("k")));
  }

  private static String read(S3Client caller) {
    return caller.getObjectAsBytes(r -> r.bucket("alices").key("k")).asUtf8String();
  }

  private static List<String> shown(List<Grant> grants) {
    return grants.stream()
        .map(grant ->
            grant.permissionAsString()
                + " "
                + (grant.grantee().id() == null
                    ? grant.grantee().uri()
                    : grant.grantee().id() + " " + grant.grantee().displayName()))
        .toList();
  }

  @Test
  void objectIsReadByWhomItIsGrantedToAlone() {
    grant(r -> r.grantRead(BOBS));

    assertThat(read(bob)).isEqualTo("content");
    assertRefused("AccessDenied", 403, () -> read(carol));
    assertRefused("AccessDenied", 403, () -> read(anybody));
    assertRefused("AccessDenied", 403, () -> bob.getObjectAcl(r -> r.bucket("alices").key("k")));
    assertThat(shown(alice.getObjectAcl(r -> r.bucket("alices").key("k")).grants()))
        .containsExactly("FULL_CONTROL alice-id alice", "READ bob-id bob");
    grant(r -> r.acl("private"));
    assertRefused("AccessDenied", 403, () -> read(bob));
  }

  @Test
  void aclIsReadAndReplacedByWhomThatIsGrantedTo() {
    grant(r -> r.grantReadACP(BOBS).grantWriteACP("id=carol-id"));

    assertThat(bob.getObjectAcl(r -> r.bucket("alices").key("k")).grants()).hasSize(3);
    assertRefused("AccessDenied", 403, () -> read(bob));
    assertRefused(
        "AccessDenied",
        403,
        () -> bob.putObjectAcl(r -> r.bucket("alices").key("k").acl("public-read")));
    assertRefused("AccessDenied", 403, () -> carol.getObjectAcl(r -> r.bucket("alices").key("k")));
    carol.putObjectAcl(r -> r.bucket("alices").key("k").grantFullControl(BOBS + ", id=carol-id"));
    assertThat(read(bob)).isEqualTo("content");
    assertThat(read(carol)).isEqualTo("content");
    bob.putObjectAcl(r -> r.bucket("alices").key("k").acl("private"));
    assertRefused("AccessDenied", 403, () -> read(bob));
    assertRefused(
        "AccessDenied",
        403,
        () -> bob.putObjectAcl(r -> r.bucket("alices").key("k").acl("public-read")));
    assertRefused("AccessDenied", 403, () -> bob.getObjectAcl(r -> r.bucket("alices").key("no")));
  }

  @Test
  void writesCarryGrants() {
    alice.putObject(r -> r.bucket("alices").key("k").grantRead(BOBS), BODY);
    assertThat(read(bob)).isEqualTo("content");
    alice.copyObject(r ->
        r.sourceBucket("alices").sourceKey("k").destinationBucket("alices").destinationKey("c"));
    assertRefused(
        "AccessDenied", 403, () -> bob.getObjectAsBytes(r -> r.bucket("alices").key("c")));
    String id =
        alice.createMultipartUpload(r -> r.bucket("alices").key("k").grantRead(BOBS)).uploadId();
    String etag =
        alice.uploadPart(r -> r.bucket("alices").key("k").uploadId(id).partNumber(1), BODY).eTag();
    grant(r -> r.acl("private"));
    alice.completeMultipartUpload(r ->
        r.bucket("alices")
            .key("k")
            .uploadId(id)
            .multipartUpload(
                u -> u.parts(CompletedPart.builder().partNumber(1).eTag(etag).build())));
    assertThat(read(bob)).isEqualTo("content");
    assertRefused(
        "AccessDenied",
        403,
        () -> bob.putObject(r -> r.bucket("alices").key("b").grantRead(BOBS), BODY));
  }

  @Test
  void bucketIsListedWrittenAndItsAclReadByWhomThatIsGrantedTo() {
    alice.createBucket(r -> r.bucket("shared").grantRead(BOBS).grantWrite("id=carol-id"));

    assertThat(bob.listObjectsV2(r -> r.bucket("shared")).contents()).isEmpty();
    carol.putObject(r -> r.bucket("shared").key("k"), BODY);
    assertRefused("AccessDenied", 403, () -> carol.listObjectsV2(r -> r.bucket("shared")));
    assertRefused("AccessDenied", 403, () -> carol.deleteObject(r -> r.bucket("shared").key("k")));
    assertRefused("AccessDenied", 403, () -> bob.putObject(r -> r.bucket("shared").key("b"), BODY));
    assertRefused("AccessDenied", 403, () -> bob.getBucketAcl(r -> r.bucket("shared")));

    alice.putBucketAcl(r -> r.bucket("shared").grantFullControl(BOBS));
    assertThat(shown(bob.getBucketAcl(r -> r.bucket("shared")).grants()))
        .containsExactly("FULL_CONTROL alice-id alice", "FULL_CONTROL bob-id bob");
    bob.putBucketAcl(r -> r.bucket("shared").acl("private"));
    assertRefused("AccessDenied", 403, () -> bob.listObjectsV2(r -> r.bucket("shared")));
  }

  @Test
  void grantsToUsersAreNotPublic() {
    grant(r -> r.grantRead(BOBS));
    alice.putPublicAccessBlock(r ->
        r.bucket("alices")
            .publicAccessBlockConfiguration(b -> b.blockPublicAcls(true).ignorePublicAcls(true)));

    assertThat(read(bob)).isEqualTo("content");
    grant(r -> r.grantRead(BOBS + ",id=carol-id"));
    assertThat(read(carol)).isEqualTo("content");
    assertRefused(
        "AccessDenied",
        403,
        () -> grant(r -> r.grantRead("uri=http://acs.amazonaws.com/groups/global/AllUsers")));
  }

  @Test
  void grantsAllowNothingWhereAclsAreDisabled() {
    grant(r -> r.grantRead(BOBS));
    OwnershipControlsRule rule =
        OwnershipControlsRule.builder().objectOwnership("BucketOwnerEnforced").build();
    alice.putBucketOwnershipControls(r -> r.bucket("alices").ownershipControls(c -> c.rules(rule)));

    assertRefused("AccessDenied", 403, () -> read(bob));
    assertRefused("AccessControlListNotSupported", 400, () -> grant(r -> r.grantRead(BOBS)));
  }

  @ParameterizedTest
  @CsvSource({
    "x-amz-grant-read, id=\"nobody-id\", 400, InvalidArgument",
    "x-amz-grant-read, id=*, 400, InvalidArgument",
    "x-amz-grant-read, id=+, 400, InvalidArgument",
    "x-amz-grant-read, id=, 400, InvalidArgument",
    "x-amz-grant-read, bob-id, 400, InvalidArgument",
    "x-amz-grant-read, uri=http://example.com, 400, InvalidArgument",
    "x-amz-grant-read, emailAddress=a@b.c, 501, NotImplemented",
  })
  void granteeThatIsNoneIsRefused(String header, String value, int status, String code)
      throws IOException {
    var answer = wire.send("PUT", "/alices/k?acl=", Map.of(header, value), "");

    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.body()).contains("<Code>" + code + "</Code>");
    assertRefused("AccessDenied", 403, () -> read(anybody));
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "+", ""})
  void documentWhoseUserIsNoneIsRefused(String id) throws IOException {
    String owners =
        "<Grant><Grantee><ID>alice-id</ID></Grantee><Permission>FULL_CONTROL</Permission></Grant>";
    String document =
        "<AccessControlPolicy><AccessControlList>"
            + owners
            + owners.replace("alice-id", id)
            + "</AccessControlList></AccessControlPolicy>";

    assertThat(wire.send("PUT", "/alices/k?acl=", Map.of(), document).body())
        .contains("<Code>InvalidArgument</Code>");
    assertRefused("AccessDenied", 403, () -> read(anybody));
  }

  @Test
  void whoMayNotReplaceTheAclLearnsNothingOfIt() throws IOException {
    for (String grantee : List.of("id=nobody-id", "id=bob-id", "nonsense")) {
      try (RawConnection connection = wire.connect()) {
        String request =
            wire.request(
                "PUT",
                "/alices/k?acl",
                "x-amz-grant-read: " + grantee + "\r\nContent-Length: 0\r\n");
        assertThat(connection.send(request).receive().body()).contains("<Code>AccessDenied</Code>");
      }
    }
  }

  @Test
  void writeMayGrantToAnIdThatNobodyHas() {
    alice.putObject(r -> r.bucket("alices").key("k").grantRead("id=nobody-id"), BODY);

    assertRefused("AccessDenied", 403, () -> read(bob));
    assertThat(shown(alice.getObjectAcl(r -> r.bucket("alices").key("k")).grants()))
        .containsExactly("FULL_CONTROL alice-id alice", "READ nobody-id nobody-id");
  }

  @Test
  void anAclHasAtMostAHundredGrants() throws IOException {
    String ids =
        IntStream.range(0, 101).mapToObj(i -> "id=user-" + i).collect(Collectors.joining(","));

    assertThat(wire.send("PUT", "/alices/n", Map.of("x-amz-grant-read", ids), "x").body())
        .contains("<Code>InvalidRequest</Code>");
  }

  @Test
  void cannedAclAndGrantsTogetherAreRefused() {
    assertRefused("InvalidRequest", 400, () -> grant(r -> r.acl("private").grantRead(BOBS)));
  }
}
