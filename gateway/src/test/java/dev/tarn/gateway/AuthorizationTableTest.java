package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Command;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.ObjectAttributes;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.Tag;

/** Who may do what, by the state of the bucket: the whole table. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AuthorizationTableTest {
  private static final String KEY = "k";

  private static final Set<String> LISTING = Set.of("HeadBucket", "ListObjects", "ListObjectsV2");
  private static final Set<String> READING = Set.of("GetObject", "HeadObject");
  private static final Set<String> OF_POLICY =
      Set.of("GetBucketPolicy", "PutBucketPolicy", "DeleteBucketPolicy");

  private static final Map<String, BiConsumer<S3Client, String>> OPERATIONS = operations();

  private GatewayFixture gateway;
  private S3Client alice;
  private Map<String, S3Client> callers;
  private int buckets;

  @BeforeAll
  void start() {
    gateway = new GatewayFixture();
    alice = gateway.client(GatewayFixture.ALICE);
    callers = new LinkedHashMap<>();
    callers.put("anybody", gateway.anonymous());
    callers.put("bob", gateway.client(GatewayFixture.BOB));
    callers.put("alice", alice);
    callers.put("admin", gateway.client(GatewayFixture.ADMIN));
  }

  @AfterAll
  void stop() {
    callers.values().forEach(S3Client::close);
    gateway.close();
  }

  private static Map<String, BiConsumer<S3Client, String>> operations() {
    Map<String, BiConsumer<S3Client, String>> table = new LinkedHashMap<>();
    table.put("HeadBucket", (s3, b) -> s3.headBucket(r -> r.bucket(b)));
    table.put("GetBucketLocation", (s3, b) -> s3.getBucketLocation(r -> r.bucket(b)));
    table.put("ListObjects", (s3, b) -> s3.listObjects(r -> r.bucket(b)));
    table.put("ListObjectsV2", (s3, b) -> s3.listObjectsV2(r -> r.bucket(b)));
    table.put("ListMultipartUploads", (s3, b) -> s3.listMultipartUploads(r -> r.bucket(b)));
    table.put("GetObject", (s3, b) -> s3.getObjectAsBytes(r -> r.bucket(b).key(KEY)));
    table.put("HeadObject", (s3, b) -> s3.headObject(r -> r.bucket(b).key(KEY)));
    table.put(
        "GetObjectAttributes",
        (s3, b) ->
            s3.getObjectAttributes(
                r -> r.bucket(b).key(KEY).objectAttributes(ObjectAttributes.E_TAG)));
    table.put("GetObjectTagging", (s3, b) -> s3.getObjectTagging(r -> r.bucket(b).key(KEY)));
    table.put("GetObjectAcl", (s3, b) -> s3.getObjectAcl(r -> r.bucket(b).key(KEY)));
    table.put(
        "PutObject",
        (s3, b) -> s3.putObject(r -> r.bucket(b).key("new"), RequestBody.fromString("x")));
    table.put(
        "CopyObject",
        (s3, b) ->
            s3.copyObject(
                r -> r.sourceBucket(b).sourceKey(KEY).destinationBucket(b).destinationKey("c")));
    table.put(
        "PutObjectTagging",
        (s3, b) ->
            s3.putObjectTagging(r ->
                r.bucket(b)
                    .key(KEY)
                    .tagging(t -> t.tagSet(Tag.builder().key("k").value("v").build()))));
    table.put("DeleteObjectTagging", (s3, b) -> s3.deleteObjectTagging(r -> r.bucket(b).key(KEY)));
    table.put("DeleteObject", (s3, b) -> s3.deleteObject(r -> r.bucket(b).key(KEY)));
    table.put("DeleteObjects", AuthorizationTableTest::deleteObjects);
    table.put(
        "CreateMultipartUpload", (s3, b) -> s3.createMultipartUpload(r -> r.bucket(b).key("new")));
    table.put(
        "UploadPart",
        (s3, b) ->
            s3.uploadPart(
                r -> r.bucket(b).key("new").uploadId("none").partNumber(1),
                RequestBody.fromString("x")));
    table.put("ListParts", (s3, b) -> s3.listParts(r -> r.bucket(b).key("new").uploadId("none")));
    table.put(
        "AbortMultipartUpload",
        (s3, b) -> s3.abortMultipartUpload(r -> r.bucket(b).key("new").uploadId("none")));
    ofBucket(table);
    return table;
  }

  private static void ofBucket(Map<String, BiConsumer<S3Client, String>> table) {
    table.put("GetBucketAcl", (s3, b) -> s3.getBucketAcl(r -> r.bucket(b)));
    table.put("PutBucketAcl", (s3, b) -> s3.putBucketAcl(r -> r.bucket(b).acl("private")));
    table.put("GetBucketTagging", (s3, b) -> s3.getBucketTagging(r -> r.bucket(b)));
    table.put(
        "PutBucketTagging",
        (s3, b) ->
            s3.putBucketTagging(r ->
                r.bucket(b).tagging(t -> t.tagSet(Tag.builder().key("k").value("v").build()))));
    table.put("DeleteBucketTagging", (s3, b) -> s3.deleteBucketTagging(r -> r.bucket(b)));
    table.put("GetBucketCors", (s3, b) -> s3.getBucketCors(r -> r.bucket(b)));
    table.put("DeleteBucketCors", (s3, b) -> s3.deleteBucketCors(r -> r.bucket(b)));
    table.put("GetBucketVersioning", (s3, b) -> s3.getBucketVersioning(r -> r.bucket(b)));
    table.put("GetBucketPolicy", (s3, b) -> s3.getBucketPolicy(r -> r.bucket(b)));
    table.put(
        "PutBucketPolicy", (s3, b) -> s3.putBucketPolicy(r -> r.bucket(b).policy(all("Allow", b))));
    table.put("DeleteBucketPolicy", (s3, b) -> s3.deleteBucketPolicy(r -> r.bucket(b)));
    table.put("DeleteBucket", (s3, b) -> s3.deleteBucket(r -> r.bucket(b)));
  }

  private static void deleteObjects(S3Client s3, String bucket) {
    ObjectIdentifier key = ObjectIdentifier.builder().key(KEY).build();
    DeleteObjectsResponse answer =
        s3.deleteObjects(r -> r.bucket(bucket).delete(d -> d.objects(key)));
    if (!answer.errors().isEmpty()) {
      throw S3Exception.builder().statusCode(403).message(answer.toString()).build();
    }
  }

  private static String all(String effect, String bucket) {
    return policy(effect, "*", "*", "arn:aws:s3:::" + bucket + "*");
  }

  private static String policy(String effect, String principal, String action, String resource) {
    return "{\"Statement\":{\"Effect\":\"%s\",\"Principal\":{\"AWS\":\"%s\"},\"Action\":\"%s\",\"Resource\":\"%s\"}}"
        .formatted(effect, principal, action, resource);
  }

  /** The states of a bucket: what is done to it, and what it opens to whom. */
  private Stream<Arguments> states() {
    Set<String> none = Set.of();
    Set<String> butThePolicy = new HashSet<>(OPERATIONS.keySet());
    butThePolicy.removeAll(OF_POLICY);
    return Stream.of(
        state("private", b -> {}, none, none),
        state("opened by its settings", this::openSettings, settings(), settings()),
        state(
            "its ACL public-read",
            b -> alice.putBucketAcl(r -> r.bucket(b).acl("public-read")),
            and(LISTING, "ListMultipartUploads"),
            and(LISTING, "ListMultipartUploads")),
        state(
            "its ACL public-read-write",
            b -> alice.putBucketAcl(r -> r.bucket(b).acl("public-read-write")),
            writable(),
            writable()),
        state(
            "its ACL authenticated-read",
            b -> alice.putBucketAcl(r -> r.bucket(b).acl("authenticated-read")),
            none,
            and(LISTING, "ListMultipartUploads")),
        state(
            "its object's ACL public-read-write",
            aclOfObject("public-read-write"),
            READING,
            READING),
        state(
            "its object's ACL authenticated-read",
            aclOfObject("authenticated-read"),
            none,
            READING),
        state("its object's ACL public-read", aclOfObject("public-read"), READING, READING),
        state(
            "policy: everything to everybody",
            b -> set(b, all("Allow", b)),
            butThePolicy,
            butThePolicy),
        state(
            "policy: reading to bob",
            b -> set(b, policy("Allow", "bob", "s3:GetObject", "arn:aws:s3:::" + b + "/*")),
            none,
            READING),
        state(
            "policy: listing to everybody",
            b -> set(b, policy("Allow", "*", "s3:ListBucket", "arn:aws:s3:::" + b)),
            LISTING,
            LISTING),
        state(
            "policy: writing to bob",
            b -> set(b, policy("Allow", "bob", "s3:PutObject", "arn:aws:s3:::" + b + "/*")),
            none,
            Set.of("PutObject", "CreateMultipartUpload", "UploadPart")));
  }

  private Consumer<String> aclOfObject(String acl) {
    return b -> alice.putObject(r -> r.bucket(b).key(KEY).acl(acl), RequestBody.fromString("x"));
  }

  private static Set<String> writable() {
    return and(
        and(and(and(LISTING, "ListMultipartUploads"), "PutObject"), "CreateMultipartUpload"),
        "UploadPart");
  }

  private static Set<String> settings() {
    return Set.of(
        "HeadBucket",
        "GetBucketLocation",
        "ListObjects",
        "ListObjectsV2",
        "GetObject",
        "HeadObject",
        "GetObjectAttributes");
  }

  private static Set<String> and(Set<String> some, String other) {
    Set<String> all = new HashSet<>(some);
    all.add(other);
    return all;
  }

  private static Arguments state(
      String name, Consumer<String> change, Set<String> toAnybody, Set<String> toBob) {
    return Arguments.of(name, change, toAnybody, toBob);
  }

  private void openSettings(String bucket) {
    gateway.submit(
        new Command.SetBucket(
            1, bucket, Optional.empty(), BucketSettings.PRIMARY.withAnonymousRead(true), 0));
  }

  private void set(String bucket, String policy) {
    alice.putBucketPolicy(r -> r.bucket(bucket).policy(policy));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("states")
  void strangersMayWhatTheBucketOpensAndOwnersAndAdminsEverything(
      String name, Consumer<String> change, Set<String> toAnybody, Set<String> toBob) {
    Set<String> everything = OPERATIONS.keySet();

    assertAllowed("anybody", change, toAnybody);
    assertAllowed("bob", change, toBob);
    assertAllowed("alice", change, everything);
    assertAllowed("admin", change, everything);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("states")
  void denialTakesEverythingFromEverybodyButThePolicyFromTheOwner(
      String name, Consumer<String> change, Set<String> toAnybody, Set<String> toBob) {
    Consumer<String> denied = change.andThen(b -> set(b, all("Deny", b)));

    assertAllowed("anybody", denied, Set.of());
    assertAllowed("bob", denied, Set.of());
    assertAllowed("alice", denied, OF_POLICY);
    assertAllowed("admin", denied, OF_POLICY);
  }

  private void assertAllowed(String caller, Consumer<String> change, Set<String> expected) {
    List<String> allowed = new ArrayList<>();
    OPERATIONS.forEach((operation, call) -> {
      String bucket = "table-" + buckets++;
      alice.createBucket(r -> r.bucket(bucket));
      alice.putObject(r -> r.bucket(bucket).key(KEY), RequestBody.fromString("x"));
      change.accept(bucket);
      if (isAllowed(Objects.requireNonNull(callers.get(caller)), call, bucket)) {
        allowed.add(operation);
      }
    });
    assertThat(allowed).as(caller).containsExactlyInAnyOrderElementsOf(expected);
  }

  /** Refusals for another reason than who asks come after that was judged. */
  private static boolean isAllowed(
      S3Client caller, BiConsumer<S3Client, String> call, String bucket) {
    try {
      call.accept(caller, bucket);
      return true;
    } catch (S3Exception e) {
      return e.statusCode() != 403;
    }
  }
}
