package dev.tarn.targetnode.cache;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.checksum.ChecksumValues;
import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.UploadRequest;
import dev.tarn.cluster.target.UploadRequest.CompletedPart;
import dev.tarn.fixtures.s3.Dialect;
import dev.tarn.fixtures.s3.SmallS3;
import dev.tarn.fixtures.target.TestBody;
import dev.tarn.targetnode.backend.Backend;
import dev.tarn.targetnode.backend.BackendLimits;
import dev.tarn.targetnode.backend.S3Backend;
import dev.tarn.targetnode.local.Calls;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client says of an upload to a bucket with a backend is verified when it is completed. */
class KnownUploadsTest {
  private static final ObjectKey KEY = ObjectKey.of("key");
  private static final byte[] BYTES = new byte[5 << 20];
  private static final ObjectChecksum CRC = crc32(BYTES);

  private final Path folder;
  private final SmallS3 other = SmallS3.start(Dialect.R2);
  private BackedNode bucket;

  KnownUploadsTest(@TempDir Path folder) {
    this.folder = folder;
    bucket = new BackedNode(folder, other, "");
  }

  @AfterEach
  void close() throws IOException {
    bucket.close();
    other.close();
  }

  @Test
  void rightChecksumsAndSizesCompleteAnUpload() {
    String upload = create();
    ObjectPart part = part(upload, 1);
    ObjectPart last = part(upload, 2);
    ObjectChecksum ofPart = CRC;
    ObjectChecksum whole =
        ChecksumValues.ofParts(
                ChecksumAlgorithm.CRC32,
                ChecksumType.FULL_OBJECT,
                List.of(part.with(List.of(ofPart)), last.with(List.of(ofPart))))
            .orElseThrow();

    Outcome<ObjectMetadata> done =
        complete(
            upload,
            List.of(
                new CompletedPart(1, part.etag(), List.of(ofPart)),
                new CompletedPart(2, last.etag(), List.of(ofPart))),
            OptionalLong.of(2L * BYTES.length),
            Optional.of(whole));

    assertThat(value(done).sizeBytes()).isEqualTo(2L * BYTES.length);
  }

  @Test
  void wrongChecksumOfAPartOrOfTheWholeIsRefused() {
    String upload = create();
    ObjectPart part = part(upload, 1);
    ObjectChecksum wrong =
        new ObjectChecksum(ChecksumAlgorithm.CRC32, ChecksumType.FULL_OBJECT, "AAAAAA==");
    List<CompletedPart> right = List.of(new CompletedPart(1, part.etag(), List.of()));

    assertThat(
            complete(
                upload,
                List.of(new CompletedPart(1, part.etag(), List.of(wrong))),
                OptionalLong.empty(),
                Optional.empty()))
        .isEqualTo(Outcome.failed(new Failure.InvalidPart(1)));
    assertThat(complete(upload, right, OptionalLong.empty(), Optional.of(wrong)))
        .isEqualTo(Outcome.failed(new Failure.BadChecksum(ChecksumAlgorithm.CRC32)));
    assertThat(complete(upload, right, OptionalLong.of(1), Optional.empty()))
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.failure()).isInstanceOf(Failure.InvalidRequest.class));
    value(complete(upload, right, OptionalLong.empty(), Optional.empty()));
  }

  @Test
  void afterARestartSizesAreVerifiedAndChecksumsAreRefused() throws IOException {
    String upload = create();
    ObjectPart part = part(upload, 1);
    bucket.close();
    bucket = new BackedNode(folder, other, "");
    ObjectChecksum right = CRC;

    assertThat(
            complete(
                upload,
                List.of(new CompletedPart(1, part.etag(), List.of(right))),
                OptionalLong.empty(),
                Optional.empty()))
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed ->
                assertThat(failed.failure())
                    .isInstanceOfSatisfying(
                        Failure.InvalidRequest.class,
                        refusal ->
                            assertThat(refusal.message())
                                .endsWith("complete the upload without checksums.")));
    assertThat(
            value(
                    complete(
                        upload,
                        List.of(new CompletedPart(1, part.etag(), List.of())),
                        OptionalLong.of(BYTES.length),
                        Optional.empty()))
                .sizeBytes())
        .isEqualTo(BYTES.length);
  }

  @Test
  void partsOfOneUploadAreKnownHoweverManyUploadsEndedBefore() {
    KnownUploads known = new KnownUploads();
    for (int ended = 0; ended < 300; ended++) {
      UploadRequest.PutPart last = putPart("upload-" + ended, 1);
      for (int number = 1; number <= 1000; number++) {
        last = putPart("upload-" + ended, number);
        known.stored(last, stored(number));
      }
      known.ended(last);
    }
    for (int number = 1; number <= 10_000; number++) {
      known.stored(putPart("long", number), stored(number));
    }

    UploadRequest.Complete complete =
        new UploadRequest.Complete(
            bucket.scope(),
            KEY,
            "long",
            IntStream.rangeClosed(1, 10_000)
                .mapToObj(number -> new CompletedPart(number, "e" + number, List.of(CRC)))
                .toList(),
            OptionalLong.of(10_000),
            Optional.empty(),
            Preconditions.NONE);
    assertThat(known.refuse(complete, unreached())).isEmpty();
  }

  /** A backend that nobody listens for: any call of it fails the test. */
  private static Backend unreached() {
    return S3Backend.open(
        new BackendSettings(
            Optional.of(URI.create("http://127.0.0.1:1")), "us-east-1", "b", "", "", ""),
        new BackendLimits(1, Duration.ofSeconds(1), Duration.ofSeconds(1), 1));
  }

  private UploadRequest.PutPart putPart(String upload, int number) {
    return new UploadRequest.PutPart(bucket.scope(), KEY, upload, number, Set.of());
  }

  private static ObjectPart stored(int number) {
    return new ObjectPart(number, 1, "e" + number, List.of(CRC), 0);
  }

  private static ObjectChecksum crc32(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    int value = (int) crc.getValue();
    return ChecksumValues.ofBytes(
        ChecksumAlgorithm.CRC32, ByteBuffer.allocate(Integer.BYTES).putInt(value).array());
  }

  private String create() {
    return value(
        bucket.call(
            new TargetRequest.CreateUpload(
                bucket.scope(),
                KEY,
                ObjectAttributes.NONE,
                Optional.of(ChecksumAlgorithm.CRC32),
                Optional.empty())));
  }

  private ObjectPart part(String upload, int number) {
    return value(
        Calls.await(bucket.node().target().call(putPart(upload, number), TestBody.of(BYTES))));
  }

  private Outcome<ObjectMetadata> complete(
      String upload,
      List<CompletedPart> parts,
      OptionalLong size,
      Optional<ObjectChecksum> checksum) {
    return bucket.call(
        new UploadRequest.Complete(
            bucket.scope(), KEY, upload, parts, size, checksum, Preconditions.NONE));
  }
}
