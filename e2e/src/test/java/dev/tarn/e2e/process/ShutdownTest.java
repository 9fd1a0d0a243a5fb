package dev.tarn.e2e.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.model.S3Object;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** SIGTERM while a client is in the middle of something. */
class ShutdownTest {
  private static final StaticCredentialsProvider CREDENTIALS =
      StaticCredentialsProvider.create(
          AwsBasicCredentials.create(TarnProcess.ACCESS_KEY, TarnProcess.SECRET_KEY));

  @TempDir private Path folder;

  @Test
  void uploadInFlightIsFinishedAndThereAfterTheNextStart() throws Exception {
    byte[] object = new byte[4 << 20];
    new Random(11).nextBytes(object);
    int half = object.length / 2;
    try (TarnProcess tarn = TarnProcess.start(folder)) {
      createBucket(tarn.s3());
      try (Socket upload = new Socket(tarn.s3().getHost(), tarn.s3().getPort())) {
        OutputStream out = upload.getOutputStream();
        out.write(head(tarn.s3(), object.length).getBytes(StandardCharsets.ISO_8859_1));
        out.write(object, 0, half);
        assertThat(tarn.handle().supportsNormalTermination()).isTrue();
        assertThat(tarn.handle().destroy()).isTrue();
        awaitNoMoreConnections(tarn.s3());
        assertThat(tarn.handle().isAlive()).isTrue();
        out.write(object, half, object.length - half);
        assertThat(statusLine(upload)).startsWith("HTTP/1.1 200 ");
      }
      assertThat(tarn.stop()).isZero();
    }

    try (TarnProcess again = TarnProcess.start(folder);
        S3Client s3 = client(again.s3())) {
      assertThat(s3.getObjectAsBytes(r -> r.bucket("shutdown").key("object")).asByteArray())
          .isEqualTo(object);
    }
  }

  @Test
  void clientsThatStandStillAreCutOffAtTheBoundAndWhatTheySentIsNotThere() throws Exception {
    byte[] object = new byte[64 << 20];
    String[] options = {"--set", "gateway.limits.drain-max=500ms"};
    try (TarnProcess tarn = TarnProcess.start(folder, options)) {
      createBucket(tarn.s3());
      try (S3Client s3 = client(tarn.s3())) {
        s3.putObject(r -> r.bucket("shutdown").key("large"), RequestBody.fromBytes(object));
      }
      try (Socket upload = new Socket(tarn.s3().getHost(), tarn.s3().getPort());
          Socket download = new Socket(tarn.s3().getHost(), tarn.s3().getPort())) {
        upload
            .getOutputStream()
            .write(head(tarn.s3(), object.length).getBytes(StandardCharsets.ISO_8859_1));
        upload.getOutputStream().write(object, 0, 1 << 20);
        download
            .getOutputStream()
            .write(get(tarn.s3(), "large").getBytes(StandardCharsets.ISO_8859_1));
        assertThat(statusLine(download)).startsWith("HTTP/1.1 200 ");

        assertThat(tarn.stop()).isZero();
      }
    }

    try (TarnProcess again = TarnProcess.start(folder);
        S3Client s3 = client(again.s3())) {
      assertThat(s3.listObjectsV2(r -> r.bucket("shutdown")).contents())
          .extracting(S3Object::key)
          .containsExactly("large");
    }
  }

  private static void createBucket(URI endpoint) {
    try (S3Client s3 = client(endpoint)) {
      s3.createBucket(r -> r.bucket("shutdown"));
    }
  }

  private static S3Client client(URI endpoint) {
    return S3Client.builder()
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .credentialsProvider(CREDENTIALS)
        .forcePathStyle(true)
        .httpClientBuilder(Apache5HttpClient.builder())
        .build();
  }

  private static String head(URI endpoint, int length) {
    try (S3Presigner presigner = presigner(endpoint)) {
      String target =
          presigner
              .presignPutObject(presign ->
                  presign
                      .signatureDuration(Duration.ofMinutes(5))
                      .putObjectRequest(put -> put.bucket("shutdown").key("object")))
              .url()
              .getFile();
      return "PUT %s HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n\r\n"
          .formatted(target, endpoint.getAuthority(), length);
    }
  }

  private static String get(URI endpoint, String key) {
    try (S3Presigner presigner = presigner(endpoint)) {
      String target =
          presigner
              .presignGetObject(presign ->
                  presign
                      .signatureDuration(Duration.ofMinutes(5))
                      .getObjectRequest(get -> get.bucket("shutdown").key(key)))
              .url()
              .getFile();
      return "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n".formatted(target, endpoint.getAuthority());
    }
  }

  private static S3Presigner presigner(URI endpoint) {
    return S3Presigner.builder()
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .credentialsProvider(CREDENTIALS)
        .serviceConfiguration(S3Configuration.builder().pathStyleAccessEnabled(true).build())
        .build();
  }

  /** Connects until nobody listens any more. */
  private static void awaitNoMoreConnections(URI endpoint) throws IOException {
    boolean listening = true;
    while (listening) {
      try (Socket refused = new Socket(endpoint.getHost(), endpoint.getPort())) {
        listening = refused.isConnected();
      } catch (SocketException e) {
        listening = false;
      }
    }
  }

  private static String statusLine(Socket connection) throws IOException {
    connection.setSoTimeout(30_000);
    return String.valueOf(
        new BufferedReader(
                new InputStreamReader(connection.getInputStream(), StandardCharsets.ISO_8859_1))
            .readLine());
  }
}
