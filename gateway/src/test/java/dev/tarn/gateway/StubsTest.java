package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.HandSigner.Signed;
import dev.tarn.gateway.RawConnection.RawResponse;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers to what tools ask of every bucket and object, where nothing has been set. */
class StubsTest {
  @AutoClose private static WireFixture wire;

  @BeforeAll
  static void start() {
    wire = new WireFixture("wire");
    wire.store("object", "content");
  }

  @ParameterizedTest
  @CsvSource({
    "/wire?versioning=, VersioningConfiguration",
    "/wire?notification=, NotificationConfiguration",
    "/wire?logging=, BucketLoggingStatus",
    "/wire?accelerate=, AccelerateConfiguration",
    "/wire?location=, LocationConstraint",
  })
  void documentOfWhatIsNotSetIsEmpty(String target, String root) throws IOException {
    RawResponse read = send("GET", target);

    assertThat(read.status()).isEqualTo(200);
    assertThat(read.header("Content-Type")).isEqualTo("application/xml");
    assertThat(read.body())
        .matches("(?s)<\\?xml [^>]*>\\s*<" + root + "( [^>]*)?(/>|></" + root + ">)\\s*");
  }

  @Test
  void objectWithoutTagsHasAnEmptySetOfThem() throws IOException {
    RawResponse read = send("GET", "/wire/object?tagging=");

    assertThat(read.status()).isEqualTo(200);
    assertThat(read.body()).containsPattern("<Tagging[^>]*><TagSet(/>|></TagSet>)</Tagging>");
  }

  @ParameterizedTest
  @CsvSource({"/wire?acl=", "/wire/object?acl="})
  void aclGivesTheOwnerEverythingAndMayBeSetToPrivate(String target) throws IOException {
    wire.s3().createBucket(r -> r.bucket("closed"));
    String closed = target.replace("/wire?", "/closed?");

    RawResponse read = send("GET", closed);
    assertThat(read.status()).isEqualTo(200);
    assertThat(read.body())
        .contains("<Owner><ID>alice-id</ID>", "<Permission>FULL_CONTROL</Permission>")
        .doesNotContain("<Permission>READ</Permission>");
    Signed put =
        wire.signer().sign("PUT", closed, WireFixture.UNSIGNED, Map.of("x-amz-acl", "private"));
    try (RawConnection connection = wire.connect()) {
      assertThat(connection.send(put.with("Content-Length: 0\r\n")).receive().status())
          .isEqualTo(200);
    }
    wire.s3().deleteBucket(r -> r.bucket("closed"));
  }

  @Test
  void bucketsOwnerPays() throws IOException {
    assertThat(send("GET", "/wire?requestPayment=").body()).contains("<Payer>BucketOwner</Payer>");
  }

  private static RawResponse send(String method, String target) throws IOException {
    Signed request = wire.signer().sign(method, target, WireFixture.UNSIGNED, Map.of());
    try (RawConnection connection = wire.connect()) {
      return connection.send(request.with("")).receive();
    }
  }
}
