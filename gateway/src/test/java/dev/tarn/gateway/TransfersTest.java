package dev.tarn.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.gateway.RawConnection.RawResponse;
import dev.tarn.gateway.http.GatewayLimits;
import dev.tarn.transport.body.PooledMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** Bodies on their way to a client: all of them, closed once, and no more than it takes. */
class TransfersTest {
  private static final int LENGTH = 3_000_000;

  @TempDir Path directory;

  private final AtomicInteger closed = new AtomicInteger();
  private final CountDownLatch closedOnce = new CountDownLatch(1);

  @Test
  void fileIsSentWholeAndClosedOnce() throws IOException {
    byte[] bytes = randomBytes();
    try (FileChannel file = fileOf(bytes);
        GatewayFixture gateway = gateway(length -> fileRange(file, length), LENGTH)) {
      assertThat(get(gateway)).isEqualTo(bytes);
      assertThat(get(gateway)).isEqualTo(bytes);
    }
    assertThat(closed).hasValue(2);
  }

  @Test
  void rangesOfFilesAreSentOneBehindTheOtherAndEachClosedOnce() throws IOException {
    byte[] bytes = randomBytes();
    try (FileChannel file = fileOf(bytes);
        GatewayFixture gateway = gateway(length -> fileRanges(file, length), LENGTH)) {
      assertThat(get(gateway)).isEqualTo(bytes);
      assertThat(get(gateway)).isEqualTo(bytes);
    }
    assertThat(closed).hasValue(6);
  }

  @Test
  void streamIsSentWholeAndClosedOnce() throws IOException {
    byte[] bytes = randomBytes();
    try (GatewayFixture gateway = gateway(length -> stream(bytes, length), LENGTH)) {
      assertThat(get(gateway)).isEqualTo(bytes);
    }
    assertThat(closed).hasValue(1);
  }

  @Test
  void memoryOfAStreamIsGivenBackAsItIsWritten() throws IOException {
    byte[] bytes = randomBytes();
    try (GatewayFixture gateway = gateway(length -> stream(bytes, length), LENGTH)) {
      long before = PooledMemory.usedBytes();
      for (int read = 0; read < 40; read++) {
        assertThat(get(gateway)).hasSize(LENGTH);
      }
      assertThat(PooledMemory.usedBytes() - before).isLessThan(10L * LENGTH);
    }
  }

  @Test
  void memoryOfAnUploadIsGivenBackWhenItHasBeenTakenIn() throws IOException {
    byte[] bytes = randomBytes();
    try (GatewayFixture gateway = gateway(length -> stream(bytes, length), LENGTH);
        S3Client s3 = gateway.client(GatewayFixture.ALICE)) {
      double before = receiveBuffers(gateway);
      for (int i = 0; i < 3; i++) {
        s3.putObject(
            r -> r.bucket("transfers").key("uploaded").contentMD5(md5(bytes)),
            RequestBody.fromBytes(bytes));
      }

      assertThat(receiveBuffers(gateway)).isLessThanOrEqualTo(before);
    }
  }

  @Test
  void fileIsClosedOnceWhenTheClientGoesAway() throws Exception {
    long length = 1L << 30;
    try (FileChannel file = sparseFile(length);
        GatewayFixture gateway = gateway(range -> fileRange(file, range), length)) {
      goAwayAfterTheHead(gateway);

      assertThat(closedOnce.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(closed).hasValue(1);
    }
  }

  @Test
  void streamIsAskedForNoMoreThanTheClientTakesAndCancelledWhenItGoes() throws Exception {
    long length = 1L << 40;
    AtomicLong given = new AtomicLong();
    try (GatewayFixture gateway = gateway(range -> endless(given, range), length)) {
      goAwayAfterTheHead(gateway);

      assertThat(closedOnce.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(given.get()).isLessThan(64L << 20);
      assertThat(closed).hasValue(1);
    }
  }

  @Test
  void memoryOfAStreamIsGivenBackWhenItsClientLeaves() throws Exception {
    int clients = 40;
    CountDownLatch left = new CountDownLatch(clients);
    LongFunction<OutgoingBody> endless =
        length ->
            new OutgoingBody.Stream(
                subscriber -> subscriber.onSubscribe(new EndlessBytes(subscriber)),
                length,
                left::countDown);
    try (GatewayFixture gateway = gateway(endless, 1L << 40)) {
      long before = PooledMemory.usedBytes();
      for (int client = 0; client < clients; client++) {
        goAwayAfterTheHead(gateway);
      }

      assertThat(left.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(PooledMemory.usedBytes() - before).isLessThan(10L * LENGTH);
    }
  }

  @Test
  void streamThatBreaksOffClosesTheConnection() throws IOException {
    LongFunction<OutgoingBody> failing =
        length ->
            new OutgoingBody.Stream(
                subscriber -> {
                  SubmissionPublisher<ByteBuffer> publisher = new SubmissionPublisher<>();
                  publisher.subscribe(subscriber);
                  publisher.submit(ByteBuffer.wrap(new byte[10]));
                  publisher.closeExceptionally(new IOException("disk failed"));
                },
                length,
                this::close);
    try (GatewayFixture gateway = gateway(failing, LENGTH);
        RawConnection connection = new RawConnection(gateway.port())) {
      connection.send(request());
      int last = connection.read();
      while (last >= 0) {
        last = connection.read();
      }
      assertThat(last).isEqualTo(-1);
    }
    assertThat(closed).hasValue(1);
  }

  private GatewayFixture gateway(LongFunction<OutgoingBody> body, long length) {
    GatewayFixture gateway =
        new GatewayFixture(
            GatewayLimits.DEFAULT, target -> new SubstituteReads(target, body, length));
    gateway.createPublicBucket("transfers");
    try (S3Client s3 = gateway.client(GatewayFixture.ALICE)) {
      s3.putObject(r -> r.bucket("transfers").key("k"), RequestBody.fromString("stored"));
    }
    return gateway;
  }

  private static byte[] get(GatewayFixture gateway) throws IOException {
    try (RawConnection connection = new RawConnection(gateway.port())) {
      RawResponse response = connection.send(request()).receive();
      RawResponse again = connection.send(request().replace("/k", "/missing")).receive();
      assertThat(response.status()).isEqualTo(200);
      assertThat(again.status()).isEqualTo(404);
      return response.body().getBytes(ISO_8859_1);
    }
  }

  private static void goAwayAfterTheHead(GatewayFixture gateway) throws IOException {
    try (RawConnection connection = new RawConnection(gateway.port())) {
      connection.send(request());
      assertThat(connection.read()).isEqualTo('H');
    }
  }

  private static String request() {
    return "GET /transfers/k HTTP/1.1\r\nHost: test\r\n\r\n";
  }

  private void close() {
    closed.incrementAndGet();
    closedOnce.countDown();
  }

  private OutgoingBody fileRange(FileChannel file, long length) {
    return new OutgoingBody.FileRange(file, 0, length, this::close);
  }

  private OutgoingBody fileRanges(FileChannel file, long length) {
    long border = length / 3;
    return new OutgoingBody.FileRanges(
        List.of(
            new OutgoingBody.FileRange(file, 0, border, this::close),
            new OutgoingBody.FileRange(file, border, 0, this::close),
            new OutgoingBody.FileRange(file, border, length - border, this::close)));
  }

  private OutgoingBody stream(byte[] bytes, long length) {
    return new OutgoingBody.Stream(
        subscriber -> {
          SubmissionPublisher<ByteBuffer> publisher = new SubmissionPublisher<>();
          publisher.subscribe(subscriber);
          for (int offset = 0; offset < bytes.length; offset += 100_000) {
            publisher.submit(
                ByteBuffer.wrap(bytes, offset, Math.min(100_000, bytes.length - offset)));
          }
          publisher.close();
        },
        length,
        this::close);
  }

  private OutgoingBody endless(AtomicLong given, long length) {
    return new OutgoingBody.Stream(
        subscriber ->
            subscriber.onSubscribe(
                new Flow.Subscription() {
                  @Override
                  public void request(long amount) {
                    given.addAndGet(100_000);
                    Thread.startVirtualThread(
                        () -> subscriber.onNext(ByteBuffer.allocate(100_000)));
                  }

                  @Override
                  public void cancel() {}
                }),
        length,
        this::close);
  }

  private FileChannel fileOf(byte[] bytes) throws IOException {
    return FileChannel.open(Files.write(directory.resolve("bytes"), bytes));
  }

  private FileChannel sparseFile(long length) throws IOException {
    Path file = Files.write(directory.resolve("sparse"), new byte[0]);
    try (FileChannel sparse = FileChannel.open(file, StandardOpenOption.WRITE)) {
      sparse.write(ByteBuffer.allocate(1), length - 1);
    }
    return FileChannel.open(file);
  }

  /**
   * Of the whole process: those that other tests dropped with a connection count until collected.
   */
  private static double receiveBuffers(GatewayFixture gateway) {
    return gateway.metrics().get("tarn.memory.receive.buffers").gauge().value();
  }

  private static String md5(byte[] bytes) {
    try {
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("MD5").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] randomBytes() {
    byte[] bytes = new byte[LENGTH];
    new Random(7).nextBytes(bytes);
    return bytes;
  }
}
