package dev.tarn.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.gateway.Doors.Scheme;
import dev.tarn.gateway.Doors.Visit;
import dev.tarn.gateway.RawConnection.RawResponse;
import dev.tarn.gateway.http.GatewayLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** Objects and uploads as large as they come. */
class LargeTransfersTest {
  private static final long THREE_GIB = 3L << 30;

  @ParameterizedTest
  @EnumSource
  void twentyMegabytesInUnsignedChunksWithoutALengthComeBackAsTheyWent(
      Scheme scheme, @TempDir Path folder) throws Exception {
    byte[] object = new byte[20_000_000];
    new Random(7).nextBytes(object);
    byte[] body = AwsChunkedBody.unsigned(object, 1 << 20, AwsChunkedBody.crc32cTrailer(object));
    ByteArrayOutputStream chunks = new ByteArrayOutputStream();
    for (int start = 0; start < body.length; start += 100_000) {
      int length = Math.min(100_000, body.length - start);
      chunks.writeBytes((Integer.toHexString(length) + "\r\n").getBytes(ISO_8859_1));
      chunks.write(body, start, length);
      chunks.writeBytes("\r\n".getBytes(ISO_8859_1));
    }
    chunks.writeBytes("0\r\n\r\n".getBytes(ISO_8859_1));
    try (Doors doors = new Doors(folder, "large");
        Visit visit = doors.visit(scheme)) {
      RawResponse stored =
          visit.send(
              "PUT",
              "/large/boto3",
              AwsChunkedBody.UNSIGNED_TRAILER,
              Map.of(
                  "content-encoding", "aws-chunked",
                  "x-amz-decoded-content-length", "20000000",
                  "x-amz-trailer", "x-amz-checksum-crc32c"),
              "Transfer-Encoding: chunked\r\n",
              chunks.toByteArray());
      assertThat(stored.status()).as(stored.body()).isEqualTo(200);
      RawResponse read = visit.send("GET", "/large/boto3", Map.of());

      assertThat(HandSigner.sha256(read.body().getBytes(ISO_8859_1)))
          .isEqualTo(HandSigner.sha256(object));
    }
  }

  @Test
  void threeGibibytesAreTakenWhole() throws IOException {
    CompletableFuture<Long> received = new CompletableFuture<>();
    try (GatewayFixture gateway =
        new GatewayFixture(GatewayLimits.DEFAULT, target -> new CountingTarget(target, received))) {
      gateway.createPublicBucket("large");
      HandSigner signer = new HandSigner("127.0.0.1:" + gateway.port());
      try (RawConnection connection = new RawConnection(gateway.port())) {
        connection.send(
            signer
                .sign("PUT", "/large/object", WireFixture.UNSIGNED, Map.of())
                .with("Content-Length: " + THREE_GIB + "\r\n"));
        byte[] piece = new byte[1 << 20];
        for (long sent = 0; sent < THREE_GIB; sent += piece.length) {
          connection.send(piece);
        }

        assertThat(connection.receive().status()).isEqualTo(409);
      }
    }
    assertThat(received).isCompletedWithValue(THREE_GIB);
  }

  /** Counts the bytes of an object and then loses a race. */
  private static final class CountingTarget extends ForwardingTarget {
    private final CompletableFuture<Long> received;

    CountingTarget(ObjectTarget target, CompletableFuture<Long> received) {
      super(target);
      this.received = received;
    }

    @Override
    public <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body) {
      assertThat(request).isInstanceOf(TargetRequest.Put.class);
      assertThat(body.length()).isEqualTo(THREE_GIB);
      body.bytes().subscribe(new Counter(received));
      return received.thenApply(ignored -> Outcome.failed(new Failure.LostRace()));
    }
  }

  private static final class Counter implements Flow.Subscriber<ByteBuffer> {
    private final CompletableFuture<Long> received;
    private long count;

    Counter(CompletableFuture<Long> received) {
      this.received = received;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(ByteBuffer piece) {
      count += piece.remaining();
    }

    @Override
    public void onError(Throwable cause) {
      received.completeExceptionally(cause);
    }

    @Override
    public void onComplete() {
      received.complete(count);
    }
  }

  /** The file is sparse; what is beyond two and three gibibytes must not come from elsewhere. */
  @Test
  void threeGibibytesAreGivenWhole(@TempDir Path folder) throws IOException {
    try (FileChannel file =
            FileChannel.open(
                folder.resolve("sparse"),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        GatewayFixture gateway =
            new GatewayFixture(
                GatewayLimits.DEFAULT,
                target ->
                    new SubstituteReads(
                        target,
                        length -> new OutgoingBody.FileRange(file, 0, length, () -> {}),
                        THREE_GIB))) {
      write(file, 0, "first");
      write(file, (2L << 30) - 2, "middle");
      write(file, THREE_GIB - 4, "last");
      gateway.createPublicBucket("large");
      try (S3Client s3 = gateway.client(GatewayFixture.ALICE)) {
        s3.putObject(r -> r.bucket("large").key("object"), RequestBody.fromString("x"));
      }
      try (RawConnection connection = new RawConnection(gateway.port())) {
        connection.send("GET /large/object HTTP/1.1\r\nHost: any\r\n\r\n");
        RawResponse head = connection.receive(true);
        assertThat(head.header("Content-Length")).isEqualTo(Long.toString(THREE_GIB));

        assertThat(connection.readText(5)).isEqualTo("first");
        connection.skip((2L << 30) - 7);
        assertThat(connection.readText(6)).isEqualTo("middle");
        connection.skip((1L << 30) - 8);
        assertThat(connection.readText(4)).isEqualTo("last");
        connection.send("HEAD /large/none HTTP/1.1\r\nHost: any\r\n\r\n");
        assertThat(connection.receive(true).status()).isEqualTo(404);
      }
    }
  }

  private static void write(FileChannel file, long position, String text) throws IOException {
    assertThat(file.write(ByteBuffer.wrap(text.getBytes(ISO_8859_1)), position))
        .isEqualTo(text.length());
  }

  @Test
  void tenThousandPartsAreTakenListedAndCompleted() throws IOException {
    try (WireFixture wire = new WireFixture("wire");
        RawConnection connection = wire.connect()) {
      String id = wire.s3().createMultipartUpload(r -> r.bucket("wire").key("parts")).uploadId();
      String upload = "uploadId=" + id;
      StringBuilder parts = new StringBuilder();
      for (int number = 1; number <= 10_000; number++) {
        String target = "/wire/parts?partNumber=" + number + "&" + upload;
        String put =
            wire.signer()
                .sign("PUT", target, WireFixture.UNSIGNED, Map.of())
                .with("Content-Length: 1\r\n");
        RawResponse part = connection.send(put + "x").receive();
        parts.append("<Part><PartNumber>").append(number).append("</PartNumber><ETag>");
        parts.append(part.header("ETag")).append("</ETag></Part>");
      }
      int[] listed = {0, 0};
      wire.s3()
          .listPartsPaginator(r -> r.bucket("wire").key("parts").uploadId(id))
          .forEach(page -> {
            listed[0]++;
            listed[1] += page.parts().size();
          });
      String document = "<CompleteMultipartUpload>" + parts + "</CompleteMultipartUpload>";
      RawResponse completed =
          connection
              .send(
                  wire.signer()
                      .sign("POST", "/wire/parts?" + upload, WireFixture.UNSIGNED, Map.of())
                      .with("Content-Length: " + document.length() + "\r\n"))
              .send(document)
              .receive();

      assertThat(listed).containsExactly(10, 10_000);
      // All but the last are too small to be parts: the list was read to its end.
      assertThat(completed.body()).contains("<Code>EntityTooSmall</Code>");
    }
  }
}
