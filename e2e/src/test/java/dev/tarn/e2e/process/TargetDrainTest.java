package dev.tarn.e2e.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** SIGTERM of a target while a client of a gateway is in the middle of something. */
@Timeout(120)
class TargetDrainTest {
  private static final String BUCKET = "drain";

  /** More than fits into the sockets and buffers on its way. */
  private static final byte[] LARGE = randomBytes(64 << 20);

  @TempDir private Path folder;

  @Test
  void slowReaderGetsAllBytesFromATargetThatWasToldToEndAndNewCallsAreRefused() throws Exception {
    try (ClusterOfProcesses cluster =
            new ClusterOfProcesses(
                folder, 1, List.of("t1"), ClusterOfProcesses.NO_TARGET_IS_AWAITED);
        S3Client s3 = cluster.gateway().openS3Client()) {
      putLarge(s3);
      try (ResponseInputStream<GetObjectResponse> download = getLarge(s3)) {
        byte[] start = download.readNBytes(1);
        tellToEnd(cluster.target("t1"));

        assertThat(readiness(cluster.target("t1"))).isEqualTo(503);
        isUnavailable(() -> s3.headObject(head -> head.bucket(BUCKET).key("large")));
        isUnavailable(() ->
            s3.putObject(put -> put.bucket(BUCKET).key("new"), RequestBody.fromString("new")));
        byte[] rest = download.readAllBytes();
        assertThat(start[0]).isEqualTo(LARGE[0]);
        assertThat(rest).hasSize(LARGE.length - 1);
        assertThat(new ByteArrayInputStream(rest))
            .hasSameContentAs(new ByteArrayInputStream(LARGE, 1, LARGE.length - 1));
      }
      assertThat(cluster.target("t1").stop()).isZero();
    }
  }

  @Test
  void uploadInFlightIsFinishedByATargetThatWasToldToEnd() throws Exception {
    try (ClusterOfProcesses cluster = new ClusterOfProcesses(folder, List.of("t1"));
        S3Client s3 = cluster.gateway().openS3Client()) {
      s3.createBucket(create -> create.bucket(BUCKET));
      PausingStream body = new PausingStream();
      CompletableFuture<Void> upload =
          CompletableFuture.runAsync(() ->
              s3.putObject(
                  put -> put.bucket(BUCKET).key("large"),
                  RequestBody.fromInputStream(body.stream(), LARGE.length)));
      body.halfway.await();
      tellToEnd(cluster.target("t1"));
      body.goOn.countDown();
      upload.join();
      assertThat(cluster.target("t1").stop()).isZero();

      cluster.startTarget("t1");
      try (ResponseInputStream<GetObjectResponse> download = getLarge(s3)) {
        assertThat(download).hasSameContentAs(new ByteArrayInputStream(LARGE));
      }
    }
  }

  @Test
  void readerThatStandsStillIsCutOffAtTheBound() throws Exception {
    try (ClusterOfProcesses cluster = new ClusterOfProcesses(folder, List.of("t1"));
        S3Client s3 = cluster.gateway().openS3Client()) {
      assertThat(cluster.target("t1").stop()).isZero();
      cluster.startTarget("t1", "gateway.limits.drain-max=500ms");
      putLarge(s3);
      try (ResponseInputStream<GetObjectResponse> download = getLarge(s3)) {
        assertThat(cluster.target("t1").stop()).isZero();

        assertThatThrownBy(download::readAllBytes).isInstanceOf(IOException.class);
      }
    }
  }

  private static void putLarge(S3Client s3) {
    s3.createBucket(create -> create.bucket(BUCKET));
    s3.putObject(put -> put.bucket(BUCKET).key("large"), RequestBody.fromBytes(LARGE));
  }

  private static ResponseInputStream<GetObjectResponse> getLarge(S3Client s3) {
    return s3.getObject(get -> get.bucket(BUCKET).key("large"));
  }

  /** Returns when nobody listens for calls any more; the process is there all the same. */
  private static void tellToEnd(TarnProcess target) throws IOException {
    assertThat(target.handle().supportsNormalTermination()).isTrue();
    assertThat(target.handle().destroy()).isTrue();
    boolean listening = true;
    while (listening) {
      try (Socket refused = new Socket(target.s3().getHost(), target.s3().getPort())) {
        listening = refused.isConnected();
      } catch (SocketException e) {
        listening = false;
      }
    }
    assertThat(target.handle().isAlive()).isTrue();
  }

  private static int readiness(TarnProcess target) throws Exception {
    URI ready = target.admin().resolve("/readyz");
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(ready).build(), HttpResponse.BodyHandlers.discarding())
          .statusCode();
    }
  }

  private static void isUnavailable(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            S3Exception.class, failure -> assertThat(failure.statusCode()).isEqualTo(503));
  }

  private static byte[] randomBytes(int length) {
    byte[] bytes = new byte[length];
    new Random(11).nextBytes(bytes);
    return bytes;
  }

  /** An upload that comes to a halt in the middle. */
  private static final class PausingStream {
    private final CountDownLatch halfway = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    InputStream stream() {
      int half = LARGE.length / 2;
      return new SequenceInputStream(
          new ByteArrayInputStream(LARGE, 0, half),
          new InputStream() {
            private final InputStream rest = new ByteArrayInputStream(LARGE, half, half);

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
              halfway.countDown();
              try {
                goOn.await();
              } catch (InterruptedException e) {
                throw new IOException(e);
              }
              return rest.read(bytes, offset, length);
            }

            @Override
            public int read() throws IOException {
              byte[] one = new byte[1];
              return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }
          });
    }
  }
}
