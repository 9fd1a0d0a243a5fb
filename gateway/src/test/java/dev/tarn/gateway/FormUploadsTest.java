package dev.tarn.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;

/** Uploads by HTML forms with a policy, as browsers send them and boto3 signs them. */
class FormUploadsTest {
  private static final String BUCKET = "alices";
  private static final String BOUNDARY = "----WebKitFormBoundary7MA4YWxk";
  private static final byte[] FILE = "the file's\r\n--content".getBytes(UTF_8);

  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<String, String> fields = new LinkedHashMap<>();
  private String conditions = "";
  private String ofBucket = "{\"bucket\": \"alices\"}, ";
  private Instant expiration = Instant.now().plus(Duration.ofHours(1));
  private byte[] file = FILE;
  private GatewayFixture gateway;
  private S3Client alice;

  @BeforeEach
  void start() {
    gateway = new GatewayFixture();
    alice = gateway.client(GatewayFixture.ALICE);
    alice.createBucket(r -> r.bucket(BUCKET));
    allow("key", "up/photo.jpg");
  }

  @AfterEach
  void stop() {
    alice.close();
    gateway.close();
    http.close();
  }

  @Test
  void formSignedByVersion4StoresItsFileWithWhatTheFieldsSay() throws Exception {
    allow("Content-Type", "image/jpeg");
    allow("x-amz-meta-who", "me & you");
    allow("tagging", "<Tagging><TagSet><Tag><Key>a</Key><Value>b</Value></Tag></TagSet></Tagging>");
    sign4(GatewayFixture.ALICE, "ALICEKEY-secret");
    HttpResponse<String> answer = post();

    assertThat(answer.statusCode()).isEqualTo(204);
    assertThat(answer.headers().firstValue("location"))
        .hasValue(gateway.endpoint() + "/alices/up/photo.jpg");
    HeadObjectResponse head = alice.headObject(r -> r.bucket(BUCKET).key("up/photo.jpg"));
    assertThat(answer.headers().firstValue("etag")).hasValue(head.eTag());
    assertThat(head.contentType()).isEqualTo("image/jpeg");
    assertThat(head.metadata()).containsEntry("who", "me & you");
    assertThat(alice.getObjectTagging(r -> r.bucket(BUCKET).key("up/photo.jpg")).tagSet())
        .hasSize(1);
    assertThat(stored()).isEqualTo(FILE);
  }

  @Test
  void formProtectsItsFileAndGrantsIt() throws Exception {
    alice.putBucketVersioning(
        r -> r.bucket(BUCKET).versioningConfiguration(v -> v.status("Enabled")));
    alice.putObjectLockConfiguration(
        r -> r.bucket(BUCKET).objectLockConfiguration(c -> c.objectLockEnabled("Enabled")));
    allow("x-amz-object-lock-mode", "COMPLIANCE");
    allow("x-amz-object-lock-retain-until-date", "2200-01-01T00:00:00Z");
    allow("x-amz-grant-read", "id=bob-id");
    sign4(GatewayFixture.ALICE, "ALICEKEY-secret");

    assertThat(post().statusCode()).isEqualTo(204);
    HeadObjectResponse head = alice.headObject(r -> r.bucket(BUCKET).key("up/photo.jpg"));
    assertThat(head.objectLockModeAsString()).isEqualTo("COMPLIANCE");
    assertThat(head.objectLockRetainUntilDate()).isEqualTo("2200-01-01T00:00:00Z");
    try (S3Client bob = gateway.client(GatewayFixture.BOB)) {
      assertThat(bob.getObjectAsBytes(r -> r.bucket(BUCKET).key("up/photo.jpg")).asByteArray())
          .isEqualTo(FILE);
    }
  }

  @Test
  void formForASuspendedBucketNamesNoVersion() throws Exception {
    alice.putBucketVersioning(
        r -> r.bucket(BUCKET).versioningConfiguration(v -> v.status("Suspended")));
    sign4(GatewayFixture.ALICE, "ALICEKEY-secret");
    HttpResponse<String> answer = post();

    assertThat(answer.statusCode()).isEqualTo(204);
    assertThat(answer.headers().firstValue("x-amz-version-id")).isEmpty();
    assertThat(alice.headObject(r -> r.bucket(BUCKET).key("up/photo.jpg")).versionId())
        .isEqualTo("null");
  }

  @Test
  void formSignedByVersion2AsBotoDoesByDefaultIsTaken() throws Exception {
    sign2(GatewayFixture.ALICE, "ALICEKEY-secret");
    assertThat(post().statusCode()).isEqualTo(204);
    assertThat(stored()).isEqualTo(FILE);
  }

  @Test
  void tagsOfTheObjectThatAFormReplacesAreNoCondition() throws Exception {
    String tagging =
        "<Tagging><TagSet><Tag><Key>locked</Key><Value>yes</Value></Tag></TagSet></Tagging>";
    alice.putBucketPolicy(put ->
        put.bucket(BUCKET)
            .policy(
                """
                {"Statement": [{"Effect": "Deny", "Principal": "*",
                  "Action": ["s3:PutObject", "s3:PutObjectTagging"],
                  "Resource": "arn:aws:s3:::alices/*",
                  "Condition": {"StringEquals": {"s3:ExistingObjectTag/locked": "yes"}}}]}
                """));
    allow("tagging", tagging);
    sign4(GatewayFixture.ALICE, "ALICEKEY-secret");

    assertThat(post().statusCode()).isEqualTo(204);
    assertThat(post().statusCode()).isEqualTo(204);
  }

  @Test
  void largeFileIsStoredWhole() throws Exception {
    file = new byte[20 << 20];
    new Random(1).nextBytes(file);
    sign4(GatewayFixture.ALICE, "ALICEKEY-secret");
    assertThat(post().statusCode()).isEqualTo(204);
    assertThat(stored()).isEqualTo(file);
  }

  @Test
  void emptyFileIsStored() throws Exception {
    file = new byte[0];
    sign4(GatewayFixture.ALICE, "ALICEKEY-secret");
    assertThat(post().statusCode()).isEqualTo(204);
    assertThat(stored()).isEmpty();
  }

  @Test
  void formSaysHowItWantsToBeAnswered() throws Exception {
    allow("success_action_status", "201");
    sign4(GatewayFixture.ALICE, "ALICEKEY-secret");
    HttpResponse<String> created = post();
    assertThat(created.statusCode()).isEqualTo(201);
    assertThat(created.body()).contains("<PostResponse>", "<Key>up/photo.jpg</Key>", "<ETag>");

    fields.clear();
    conditions = "";
    allow("key", "up/photo.jpg");
    allow("success_action_redirect", "https://example.org/done?x=1");
    sign4(GatewayFixture.ALICE, "ALICEKEY-secret");
    HttpResponse<String> redirected = post();
    assertThat(redirected.statusCode()).isEqualTo(303);
    assertThat(redirected.headers().firstValue("location").orElseThrow())
        .startsWith("https://example.org/done?x=1&bucket=alices&key=up%2Fphoto.jpg&etag=%22");
  }

  @Test
  void everyFieldMayHoldTheFilesName() throws Exception {
    fields.put("success_action_redirect", "https://example.org/done?file=${filename}");
    conditions += ", [\"starts-with\", \"$success_action_redirect\", \"https://example.org/\"]";
    fields.put("x-amz-meta-name", "from ${filename}");
    conditions += ", [\"starts-with\", \"$x-amz-meta-name\", \"from \"]";
    sign4(GatewayFixture.ALICE, "ALICEKEY-secret");
    HttpResponse<String> redirected = post();

    assertThat(redirected.statusCode()).isEqualTo(303);
    assertThat(redirected.headers().firstValue("location").orElseThrow())
        .startsWith("https://example.org/done?file=photo.jpg&bucket=alices&");
    assertThat(alice.headObject(r -> r.bucket(BUCKET).key("up/photo.jpg")).metadata())
        .containsEntry("name", "from photo.jpg");
  }

  @Test
  void eachTypeOfAListMustBeginAsThePolicySays() throws Exception {
    conditions += ", [\"starts-with\", \"$Content-Type\", \"image/\"]";
    fields.put("Content-Type", "image/png, image/jpeg");
    sign4(GatewayFixture.ALICE, "ALICEKEY-secret");
    assertThat(post().statusCode()).isEqualTo(204);

    fields.put("Content-Type", "image/png,text/html");
    sign4(GatewayFixture.ALICE, "ALICEKEY-secret");
    assertThat(post().statusCode()).isEqualTo(403);
  }

  @Test
  void keyMayBeginAsThePolicySaysAndHoldTheFilesName() throws Exception {
    fields.put("key", "up/${filename}");
    conditions = "[\"starts-with\", \"$key\", \"up/\"]";
    sign4(GatewayFixture.ALICE, "ALICEKEY-secret");
    assertThat(post().statusCode()).isEqualTo(204);
    assertThat(stored()).isEqualTo(FILE);
  }

  @Test
  void policyIsHeldAgainstTheKeyWithTheFilesNameInIt() throws Exception {
    fields.put("key", "up/${filename}");
    conditions = "{\"key\": \"up/photo.jpg\"}";
    sign4(GatewayFixture.ALICE, "ALICEKEY-secret");
    assertThat(post().statusCode()).isEqualTo(204);
    assertThat(stored()).isEqualTo(FILE);
    alice.deleteObject(r -> r.bucket(BUCKET).key("up/photo.jpg"));

    conditions = "{\"key\": \"up/${filename}\"}";
    sign4(GatewayFixture.ALICE, "ALICEKEY-secret");
    assertRefused(403, "AccessDenied", "Policy Condition failed");
  }

  @Test
  void whatThePolicyDoesNotAllowIsRefusedAndNothingIsStored() throws Exception {
    sign4(GatewayFixture.ALICE, "ALICEKEY-secret");
    fields.put("key", "other");
    assertRefused(403, "AccessDenied", "Policy Condition failed");

    fields.put("key", "up/photo.jpg");
    fields.put("x-amz-meta-more", "unsaid");
    assertRefused(403, "AccessDenied", "Extra input fields: x-amz-meta-more");
    fields.remove("x-amz-meta-more");

    expiration = Instant.now().minusSeconds(1);
    sign4(GatewayFixture.ALICE, "ALICEKEY-secret");
    assertRefused(403, "AccessDenied", "Policy expired");
  }

  @Test
  void policyIsGoodForTheBucketThatItNamesAndOneThatNamesNoneForNone() throws Exception {
    ofBucket = "{\"bucket\": \"others\"}, ";
    sign4(GatewayFixture.ALICE, "ALICEKEY-secret");
    assertRefused(403, "AccessDenied", "Policy Condition failed");

    ofBucket = "";
    sign4(GatewayFixture.ALICE, "ALICEKEY-secret");
    assertRefused(403, "AccessDenied", "Extra input fields: bucket");
    fields.put("bucket", BUCKET);
    assertRefused(403, "AccessDenied", "Extra input fields: bucket");
  }

  @Test
  void fileMustBeAsLongAsThePolicySays() throws Exception {
    conditions += ", [\"content-length-range\", 100, 200]";
    sign4(GatewayFixture.ALICE, "ALICEKEY-secret");
    assertRefused(400, "EntityTooSmall", "100");
    file = new byte[201];
    assertRefused(400, "EntityTooLarge", "200");
    file = new byte[200];
    assertThat(post().statusCode()).isEqualTo(204);
  }

  @Test
  void signatureOfAnotherPolicyKeyOrUserIsRefused() throws Exception {
    sign4(GatewayFixture.ALICE, "wrong");
    assertRefused(403, "SignatureDoesNotMatch", "");
    sign2(GatewayFixture.ALICE, "wrong");
    assertRefused(403, "SignatureDoesNotMatch", "");
    sign4("NOBODY", "x");
    assertRefused(403, "InvalidAccessKeyId", "");
    sign4(GatewayFixture.BOB, "BOBKEY-secret");
    assertRefused(403, "AccessDenied", "");

    sign4(GatewayFixture.ALICE, "ALICEKEY-secret");
    fields.put("policy", policy("{\"key\": \"up/photo.jpg\"}, [\"starts-with\",\"$acl\",\"\"]"));
    assertRefused(403, "SignatureDoesNotMatch", "");
    fields.keySet().removeIf(name -> name.startsWith("x-amz-") || name.equals("policy"));
    assertRefused(403, "AccessDenied", "");
  }

  @Test
  void policyThatIsNoneIsRefused() throws Exception {
    for (String broken :
        new String[] {
          "[\"maybe\", \"$key\", \"x\"]",
          "[\"eq\", \"key\", \"x\"]",
          "[\"eq\", \"$key\"]",
          "[\"eq\", null, \"x\"]",
          "[null, \"$key\", \"x\"]",
          "[\"content-length-range\", 1, \"many\"]",
          "[\"content-length-range\", 0, 18446744073709551616]",
          "7",
          "null",
          "{}",
          "{\"key\": []}",
          "{\"key\": \"a\", \"acl\": \"private\"}",
          "{\"key\": \"a\", \"key\": \"b\"}"
        }) {
      conditions = broken;
      sign4(GatewayFixture.ALICE, "ALICEKEY-secret");
      assertRefused(400, "InvalidPolicyDocument", "");
    }
  }

  @Test
  void postThatIsNoFormIsRefused() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(gateway.endpoint() + "/" + BUCKET))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{}"))
            .build();
    HttpResponse<String> refused = http.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(refused.statusCode()).isEqualTo(412);
    assertThat(refused.body()).contains("enclosure-type multipart/form-data");
  }

  @Test
  void declaredChecksumIsHeldAgainstTheFile() throws Exception {
    allow("x-amz-checksum-crc32", "AAAAAA==");
    sign4(GatewayFixture.ALICE, "ALICEKEY-secret");
    assertRefused(400, "BadDigest", "CRC32");
  }

  private void assertRefused(int status, String code, String message) throws Exception {
    HttpResponse<String> refused = post();
    assertThat(refused.body()).contains("<Code>" + code + "</Code>").contains(message);
    assertThat(refused.statusCode()).isEqualTo(status);
    assertThat(alice.listObjectsV2(r -> r.bucket(BUCKET)).contents()).isEmpty();
  }

  private byte[] stored() {
    return alice.getObjectAsBytes(r -> r.bucket(BUCKET).key("up/photo.jpg")).asByteArray();
  }

  private void allow(String field, String value) {
    fields.put(field, value);
    conditions +=
        (conditions.isEmpty() ? "" : ", ")
            + "{\"%s\": \"%s\"}".formatted(field, value.replace("\"", "\\\""));
  }

  private String policy(String allowed) {
    String json =
        "{\"expiration\": \"%s\", \"conditions\": [%s%s]}".formatted(expiration, ofBucket, allowed);
    return Base64.getEncoder().encodeToString(json.getBytes(UTF_8));
  }

  private void sign4(String accessKeyId, String secret) throws GeneralSecurityException {
    String time =
        DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'")
            .withZone(ZoneOffset.UTC)
            .format(Instant.now());
    String date = time.substring(0, 8);
    String credential = accessKeyId + "/" + date + "/us-east-1/s3/aws4_request";
    String signed =
        policy(
            conditions
                + ", {\"x-amz-algorithm\": \"AWS4-HMAC-SHA256\"}, {\"x-amz-credential\": \""
                + credential
                + "\"}, {\"x-amz-date\": \""
                + time
                + "\"}");
    byte[] key = ("AWS4" + secret).getBytes(UTF_8);
    for (String step : new String[] {date, "us-east-1", "s3", "aws4_request"}) {
      key = hmac("HmacSHA256", key, step);
    }
    fields.remove("AWSAccessKeyId");
    fields.remove("signature");
    fields.put("x-amz-algorithm", "AWS4-HMAC-SHA256");
    fields.put("x-amz-credential", credential);
    fields.put("x-amz-date", time);
    fields.put("policy", signed);
    fields.put("x-amz-signature", HexFormat.of().formatHex(hmac("HmacSHA256", key, signed)));
  }

  private void sign2(String accessKeyId, String secret) throws GeneralSecurityException {
    fields.keySet().removeIf(name -> name.startsWith("x-amz-"));
    String signed = policy(conditions);
    fields.put("AWSAccessKeyId", accessKeyId);
    fields.put("policy", signed);
    fields.put(
        "signature",
        Base64.getEncoder().encodeToString(hmac("HmacSHA1", secret.getBytes(UTF_8), signed)));
  }

  private static byte[] hmac(String algorithm, byte[] key, String text)
      throws GeneralSecurityException {
    Mac mac = Mac.getInstance(algorithm);
    mac.init(new SecretKeySpec(key, algorithm));
    return mac.doFinal(text.getBytes(UTF_8));
  }

  private HttpResponse<String> post() throws IOException, InterruptedException {
    ByteArrayOutputStream form = new ByteArrayOutputStream();
    fields.forEach((name, value) ->
        form.writeBytes(
            "--%s\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n"
                .formatted(BOUNDARY, name, value)
                .getBytes(UTF_8)));
    form.writeBytes(
        String.join(
                "\r\n",
                "--" + BOUNDARY,
                "Content-Disposition: form-data; name=\"file\"; filename=\"photo.jpg\"",
                "Content-Type: image/jpeg",
                "",
                "")
            .getBytes(UTF_8));
    form.writeBytes(file);
    form.writeBytes(("\r\n--" + BOUNDARY + "--\r\n").getBytes(UTF_8));
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(gateway.endpoint() + "/" + BUCKET))
            .header("Content-Type", "multipart/form-data; boundary=" + BOUNDARY)
            .POST(HttpRequest.BodyPublishers.ofByteArray(form.toByteArray()))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }
}
