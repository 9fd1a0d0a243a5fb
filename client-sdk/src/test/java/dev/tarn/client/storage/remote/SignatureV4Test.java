package dev.tarn.client.storage.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;

class SignatureV4Test {
  /** The keys, the time and the host of the examples of the S3 reference, which is public. */
  private static final AwsCredentials EXAMPLE =
      AwsBasicCredentials.create(
          "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY");

  private static final String HOST = "examplebucket.s3.amazonaws.com";
  private final SignatureV4 signature = at("2013-05-24T00:00:00Z");

  private static SignatureV4 at(String time) {
    return new SignatureV4("us-east-1", Clock.fixed(Instant.parse(time), ZoneOffset.UTC));
  }

  private static String signed(SignatureV4 signature, AwsCredentials who, String... header) {
    Map<String, String> headers = header.length == 0 ? Map.of() : Map.of(header[0], header[1]);
    return signature
        .sign(who, "GET", HOST, "/test.txt", headers)
        .getOrDefault("Authorization", "not signed");
  }

  @Test
  void theExampleOfTheS3ReferenceHasItsSignature() {
    assertEquals(
        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
            + " SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,"
            + " Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
        signed(signature, EXAMPLE, "Range", "bytes=0-9"));
  }

  @Test
  void anotherSecretOrAnotherDayIsNotSignedWithTheKeyThatIsKept() {
    String first = signed(signature, EXAMPLE);
    String other =
        signed(signature, AwsBasicCredentials.create(EXAMPLE.accessKeyId(), "another secret"));
    assertNotEquals(first, other);
    assertEquals(first, signed(signature, EXAMPLE));
    assertNotEquals(first, signed(at("2013-05-25T00:00:00Z"), EXAMPLE));
  }

  @Test
  void spacesOfAValueAreSignedAsServersReadThem() {
    assertEquals(
        signed(signature, EXAMPLE, "If-Match", "\"a b\""),
        signed(signature, EXAMPLE, "If-Match", " \"a   b\" "));
  }

  @Test
  void theTokenOfASessionIsSentAndSigned() {
    AwsCredentials session =
        AwsSessionCredentials.create(EXAMPLE.accessKeyId(), EXAMPLE.secretAccessKey(), "token");
    Map<String, String> headers = signature.sign(session, "GET", HOST, "/test.txt", Map.of());
    assertEquals("token", headers.get("x-amz-security-token"));
    String authorization = headers.getOrDefault("Authorization", "not signed");
    assertTrue(
        authorization.contains(";x-amz-date;x-amz-security-token, Signature="), authorization);
  }
}
