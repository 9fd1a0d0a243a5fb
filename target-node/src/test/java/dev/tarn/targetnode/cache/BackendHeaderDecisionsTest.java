package dev.tarn.targetnode.cache;

import static java.util.Locale.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.core.SdkField;
import software.amazon.awssdk.core.SdkPojo;
import software.amazon.awssdk.core.protocol.MarshallLocation;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CopyObjectRequest;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.UploadPartCopyRequest;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;

/**
 * What becomes of each header of S3 in a bucket with a backend: the headers that the SDK knows are
 * enumerated, so one without a decision fails here.
 */
class BackendHeaderDecisionsTest {
  /** Headers of requests: those that are sent, and what stands for the others. */
  private static final Map<String, String> REQUEST_HEADERS =
      Map.ofEntries(
          // Sent, where the client gave them.
          Map.entry("cache-control", "attributes"),
          Map.entry("content-disposition", "attributes"),
          Map.entry("content-encoding", "attributes"),
          Map.entry("content-language", "attributes"),
          Map.entry("content-type", "attributes"),
          Map.entry("expires", "attributes"),
          Map.entry("x-amz-meta-", "attributes"),
          Map.entry("x-amz-storage-class", "attributes"),
          Map.entry("x-amz-website-redirect-location", "attributes"),
          Map.entry("x-amz-tagging", "attributes, or the tags of a copy"),
          Map.entry("x-amz-tagging-directive", "whether a copy has tags of its own"),
          Map.entry("x-amz-metadata-directive", "whether a copy has attributes of its own"),
          Map.entry("content-length", "length of the body"),
          Map.entry("if-match", "preconditions of writes and deletes; unit fetches"),
          Map.entry("if-none-match", "preconditions of writes; reads are judged here"),
          Map.entry("range", "unit fetches"),
          Map.entry("x-amz-copy-source", "source of a copy"),
          Map.entry("x-amz-copy-source-range", "selection of a copied part"),
          Map.entry("x-amz-mp-object-size", "size of a completed upload"),
          // The target does what they ask for.
          Map.entry("if-modified-since", "judged here"),
          Map.entry("if-unmodified-since", "judged here"),
          Map.entry("x-amz-copy-source-if-match", "judged here"),
          Map.entry("x-amz-copy-source-if-modified-since", "judged here"),
          Map.entry("x-amz-copy-source-if-none-match", "judged here"),
          Map.entry("x-amz-copy-source-if-unmodified-since", "judged here"),
          Map.entry("content-md5", "verified here"),
          Map.entry("x-amz-checksum-algorithm", "computed here"),
          Map.entry("x-amz-checksum-crc32", "verified here"),
          Map.entry("x-amz-checksum-crc32c", "verified here"),
          Map.entry("x-amz-checksum-crc64nvme", "verified here"),
          Map.entry("x-amz-checksum-sha1", "verified here"),
          Map.entry("x-amz-checksum-sha256", "verified here"),
          Map.entry("x-amz-checksum-md5", "unknown to the gateway, as on older AWS"),
          Map.entry("x-amz-checksum-sha512", "unknown to the gateway, as on older AWS"),
          Map.entry("x-amz-checksum-xxhash3", "unknown to the gateway, as on older AWS"),
          Map.entry("x-amz-checksum-xxhash64", "unknown to the gateway, as on older AWS"),
          Map.entry("x-amz-checksum-xxhash128", "unknown to the gateway, as on older AWS"),
          Map.entry("x-amz-checksum-type", "verified here"),
          Map.entry("x-amz-checksum-mode", "the cache keeps no checksums of the backend"),
          Map.entry("x-amz-sdk-checksum-algorithm", "names the checksum that is verified here"),
          Map.entry("x-amz-object-annotation-directive", "annotations are not Tarn's"),
          // The gateway refuses them, or they concern the account at the gateway.
          Map.entry("x-amz-acl", "refused, unless private"),
          Map.entry("x-amz-grant-full-control", "refused"),
          Map.entry("x-amz-grant-read", "refused"),
          Map.entry("x-amz-grant-read-acp", "refused"),
          Map.entry("x-amz-grant-write-acp", "refused"),
          Map.entry("x-amz-expected-bucket-owner", "judged by the gateway"),
          Map.entry("x-amz-source-expected-bucket-owner", "judged by the gateway"),
          Map.entry("x-amz-request-payer", "the backend's key pair pays"),
          Map.entry("x-amz-mfa", "no bucket of Tarn needs it"),
          Map.entry("x-amz-bypass-governance-retention", "object lock is not Tarn's yet"),
          Map.entry("x-amz-object-lock-mode", "refused"),
          Map.entry("x-amz-object-lock-retain-until-date", "refused"),
          Map.entry("x-amz-object-lock-legal-hold", "refused"),
          Map.entry("x-amz-write-offset-bytes", "refused"),
          Map.entry("x-amz-if-match-last-modified-time", "refused"),
          Map.entry("x-amz-if-match-size", "refused"),
          Map.entry("x-amz-server-side-encryption", "refused"),
          Map.entry("x-amz-server-side-encryption-aws-kms-key-id", "refused"),
          Map.entry("x-amz-server-side-encryption-bucket-key-enabled", "refused"),
          Map.entry("x-amz-server-side-encryption-context", "refused"),
          Map.entry("x-amz-server-side-encryption-customer-algorithm", "refused"),
          Map.entry("x-amz-server-side-encryption-customer-key", "refused"),
          Map.entry("x-amz-server-side-encryption-customer-key-md5", "refused"),
          Map.entry("x-amz-copy-source-server-side-encryption-customer-algorithm", "refused"),
          Map.entry("x-amz-copy-source-server-side-encryption-customer-key", "refused"),
          Map.entry("x-amz-copy-source-server-side-encryption-customer-key-md5", "refused"));

  /** Headers of answers: those that are read, and why the others are not. */
  private static final Map<String, String> ANSWER_HEADERS =
      Map.ofEntries(
          Map.entry("accept-ranges", "the gateway's own"),
          Map.entry("cache-control", "read"),
          Map.entry("content-disposition", "read"),
          Map.entry("content-encoding", "read, without aws-chunked"),
          Map.entry("content-language", "read"),
          Map.entry("content-length", "read"),
          Map.entry("content-range", "read"),
          Map.entry("content-type", "read"),
          Map.entry("etag", "read"),
          Map.entry("expires", "read"),
          Map.entry("last-modified", "read"),
          Map.entry("x-amz-delete-marker", "read"),
          Map.entry("x-amz-meta-", "read"),
          Map.entry("x-amz-mp-parts-count", "read"),
          Map.entry("x-amz-storage-class", "read"),
          Map.entry("x-amz-version-id", "read"),
          Map.entry("x-amz-website-redirect-location", "read"),
          Map.entry("x-amz-archive-status", "not shown: the refusal of a read shows the state"),
          Map.entry("x-amz-restore", "not shown: reads succeed once the object is restored"),
          Map.entry("x-amz-expiration", "not shown: the backend's rules are not the bucket's"),
          Map.entry("x-amz-missing-meta", "not shown: SOAP"),
          Map.entry("x-amz-object-lock-mode", "not shown"),
          Map.entry("x-amz-object-lock-retain-until-date", "not shown"),
          Map.entry("x-amz-object-lock-legal-hold", "not shown"),
          Map.entry("x-amz-replication-status", "not shown: the backend's own matter"),
          Map.entry("x-amz-request-charged", "not shown: the backend's key pair pays"),
          Map.entry("x-amz-server-side-encryption", "not shown: the backend's own matter"),
          Map.entry("x-amz-server-side-encryption-aws-kms-key-id", "not shown"),
          Map.entry("x-amz-server-side-encryption-bucket-key-enabled", "not shown"),
          Map.entry("x-amz-server-side-encryption-customer-algorithm", "not shown"),
          Map.entry("x-amz-server-side-encryption-customer-key-md5", "not shown"),
          Map.entry("x-amz-tagging-count", "not shown: a HEAD answer has no count everywhere"),
          Map.entry("x-amz-checksum-crc32", "not asked for"),
          Map.entry("x-amz-checksum-crc32c", "not asked for"),
          Map.entry("x-amz-checksum-crc64nvme", "not asked for"),
          Map.entry("x-amz-checksum-sha1", "not asked for"),
          Map.entry("x-amz-checksum-sha256", "not asked for"),
          Map.entry("x-amz-checksum-md5", "not asked for"),
          Map.entry("x-amz-checksum-sha512", "not asked for"),
          Map.entry("x-amz-checksum-xxhash3", "not asked for"),
          Map.entry("x-amz-checksum-xxhash64", "not asked for"),
          Map.entry("x-amz-checksum-xxhash128", "not asked for"),
          Map.entry("x-amz-checksum-type", "not asked for"));

  static Stream<SdkPojo> requests() {
    return Stream.of(
        GetObjectRequest.builder(),
        HeadObjectRequest.builder(),
        PutObjectRequest.builder(),
        DeleteObjectRequest.builder(),
        CopyObjectRequest.builder(),
        CreateMultipartUploadRequest.builder(),
        UploadPartRequest.builder(),
        UploadPartCopyRequest.builder(),
        CompleteMultipartUploadRequest.builder());
  }

  @ParameterizedTest
  @MethodSource("requests")
  void eachHeaderOfARequestHasADecision(SdkPojo request) {
    assertThat(headersOf(request)).isNotEmpty().isSubsetOf(REQUEST_HEADERS.keySet());
  }

  static Stream<SdkPojo> answers() {
    return Stream.of(GetObjectResponse.builder(), HeadObjectResponse.builder());
  }

  @ParameterizedTest
  @MethodSource("answers")
  void eachHeaderOfAnAnswerHasADecision(SdkPojo answer) {
    assertThat(headersOf(answer)).isNotEmpty().isSubsetOf(ANSWER_HEADERS.keySet());
  }

  private static Set<String> headersOf(SdkPojo pojo) {
    Set<String> names = new TreeSet<>();
    for (SdkField<?> field : pojo.sdkFields()) {
      if (field.location() == MarshallLocation.HEADER) {
        names.add(field.locationName().toLowerCase(ROOT));
      }
    }
    return names;
  }
}
