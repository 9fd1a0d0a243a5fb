package dev.tarn.gateway;

import static dev.tarn.gateway.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.tarn.gateway.RawConnection.RawResponse;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketCannedACL;
import software.amazon.awssdk.services.s3.model.ListPartsResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.StorageClass;

/** Who begins an upload in a bucket of another may finish with it. */
class UploadInitiatorTest {
  private static final String BUCKET = "alices";

  @AutoClose private final GatewayFixture gateway = new GatewayFixture();
  @AutoClose private final S3Client alice = gateway.client(GatewayFixture.ALICE);
  @AutoClose private final S3Client bob = gateway.client(GatewayFixture.BOB);

  @BeforeEach
  void create() {
    alice.createBucket(r -> r.bucket(BUCKET));
  }

  @Test
  void initiatorByAPolicyListsThePartsAndAborts() {
    setPolicy("");
    String own = begin(bob);
    String foreign = begin(alice);

    ListPartsResponse parts = list(bob, own);
    assertThat(parts.parts()).hasSize(1);
    assertThat(parts.initiator().displayName()).isEqualTo("bob");
    assertThat(parts.owner().displayName()).isEqualTo("alice");
    assertThat(parts.storageClass()).isEqualTo(StorageClass.STANDARD_IA);
    assertRefused("AccessDenied", 403, () -> list(bob, foreign));
    assertRefused("AccessDenied", 403, () -> abort(bob, foreign));

    abort(bob, own);

    assertRefused("AccessDenied", 403, () -> list(bob, own));
    assertRefused("NoSuchUpload", 404, () -> list(alice, own));
    assertThat(uploads()).extracting(MultipartUpload::uploadId).containsExactly(foreign);
  }

  @Test
  void uploadsAreListedWithWhoBeganThemTheirClassAndInTheOrderOfTime() {
    setPolicy("");
    String first = begin(bob);
    String second = begin(alice);

    assertThat(uploads())
        .extracting(
            MultipartUpload::uploadId,
            upload -> upload.initiator().displayName(),
            upload -> upload.owner().displayName(),
            MultipartUpload::storageClass)
        .containsExactlyInAnyOrder(
            tuple(first, "bob", "alice", StorageClass.STANDARD_IA),
            tuple(second, "alice", "alice", StorageClass.STANDARD_IA));
    assertThat(uploads()).extracting(MultipartUpload::initiated).isSorted();
  }

  @Test
  void policyThatDeniesHoldsForTheInitiatorToo() {
    setPolicy("");
    String own = begin(bob);
    setPolicy(
        """
        , {"Effect": "Deny", "Principal": "*", "Action": "s3:AbortMultipartUpload",
           "Resource": "arn:aws:s3:::alices/*"}\
        """);

    assertRefused("AccessDenied", 403, () -> abort(bob, own));
    assertThat(list(bob, own).parts()).hasSize(1);
  }

  @Test
  void anonymousInitiatorInABucketThatAnybodyMayWrite() throws IOException {
    alice.putBucketAcl(r -> r.bucket(BUCKET).acl(BucketCannedACL.PUBLIC_READ_WRITE));
    String own =
        send("POST", "?uploads").body().replaceAll("(?s).*<UploadId>(.*)</UploadId>.*", "$1");
    String foreign = begin(alice);

    assertThat(send("GET", "?uploadId=" + own).body())
        .contains("<Initiator><ID>65a011a29cdf8ec533ec3d1ccaae921c</ID>");
    assertThat(send("GET", "?uploadId=" + foreign).status()).isEqualTo(403);
    assertThat(send("DELETE", "?uploadId=" + foreign).status()).isEqualTo(403);
    assertThat(send("DELETE", "?uploadId=" + own).status()).isEqualTo(204);
  }

  private RawResponse send(String method, String query) throws IOException {
    try (RawConnection connection = new RawConnection(gateway.port())) {
      return connection
          .send(
              method
                  + " /alices/key"
                  + query
                  + " HTTP/1.1\r\nHost: 127.0.0.1:"
                  + gateway.port()
                  + "\r\nContent-Length: 0\r\n\r\n")
          .receive();
    }
  }

  private void setPolicy(String more) {
    String policy =
        """
        {"Version": "2012-10-17", "Statement": [
          {"Effect": "Allow", "Principal": {"AWS": "bob"}, "Action": "s3:PutObject",
           "Resource": "arn:aws:s3:::alices/*"}%s]}\
        """
            .formatted(more);
    alice.putBucketPolicy(r -> r.bucket(BUCKET).policy(policy));
  }

  private static String begin(S3Client client) {
    String upload =
        client
            .createMultipartUpload(
                r -> r.bucket(BUCKET).key("key").storageClass(StorageClass.STANDARD_IA))
            .uploadId();
    client.uploadPart(
        r -> r.bucket(BUCKET).key("key").uploadId(upload).partNumber(1),
        RequestBody.fromString("part"));
    return upload;
  }

  private static ListPartsResponse list(S3Client client, String upload) {
    return client.listParts(r -> r.bucket(BUCKET).key("key").uploadId(upload));
  }

  private static void abort(S3Client client, String upload) {
    client.abortMultipartUpload(r -> r.bucket(BUCKET).key("key").uploadId(upload));
  }

  private List<MultipartUpload> uploads() {
    return alice.listMultipartUploads(r -> r.bucket(BUCKET)).uploads();
  }
}
