package dev.tarn.e2e.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.e2e.process.TarnProcess;
import dev.tarn.e2e.process.TestCertificate;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each Java client spends a user's day with Tarn, over http and over https. */
@TestInstance(Lifecycle.PER_CLASS)
class JavaClientsTest {
  private static final List<String> ODD_KEYS =
      List.of("a//b", "plus+sign", "é/ü", "with space", "*'()!~", "100%", "x".repeat(1024));

  private final Path folder;
  private final TarnProcess plain;
  private final TarnProcess secure;

  JavaClientsTest(@TempDir Path folder) throws Exception {
    this.folder = folder;
    TestCertificate.write(folder);
    Path config = folder.resolve("https.yaml");
    Files.writeString(
        config,
        """
        gateway:
          tls:
            certificate-chain: %s
            private-key: %s
        """
            .formatted(folder.resolve("cert.pem"), folder.resolve("key.pem")));
    plain = TarnProcess.start(Files.createDirectory(folder.resolve("http")));
    secure =
        TarnProcess.start(
            Files.createDirectory(folder.resolve("https")), "--config", config.toString());
  }

  @AfterAll
  void stop() {
    assertThat(plain.stop()).isZero();
    assertThat(secure.stop()).isZero();
  }

  /** Makes a client for an endpoint. */
  interface Opening {
    JavaClient open(URI endpoint) throws Exception;
  }

  static Stream<Arguments> clients() {
    Opening sync = SdkSync::new;
    Opening multipart = endpoint -> new SdkAsync(endpoint, SdkSettings.asyncMultipart(endpoint));
    Opening crt = endpoint -> new SdkAsync(endpoint, SdkSettings.crt(endpoint));
    Opening minio = MinioJava::new;
    return Stream.of("http", "https")
        .flatMap(scheme ->
            Stream.of(
                Arguments.of("sdk-sync", scheme, sync),
                Arguments.of("sdk-async-multipart", scheme, multipart),
                Arguments.of("sdk-crt", scheme, crt),
                Arguments.of("minio-java", scheme, minio)));
  }

  @ParameterizedTest(name = "{0} over {1}")
  @MethodSource("clients")
  void whatAClientWritesItReadsBackListsAndDeletes(String name, String scheme, Opening opening)
      throws Exception {
    URI endpoint = (scheme.equals("https") ? secure : plain).s3();
    Random random = new Random(name.hashCode());
    byte[] small = new byte[8192];
    random.nextBytes(small);
    byte[] large = new byte[20 << 20];
    random.nextBytes(large);
    Path file = Files.write(folder.resolve(name + scheme), large);
    String bucket = name + "-" + scheme;

    try (JavaClient client = opening.open(endpoint)) {
      List<String> keys = new ArrayList<>(ODD_KEYS.stream().filter(client::names).toList());
      client.createBucket(bucket);
      for (String key : keys) {
        assertThat(client.put(bucket, key, small)).isEqualTo(md5(small));
        assertThat(client.get(bucket, key)).isEqualTo(small);
      }
      assertThat(client.getRange(bucket, "é/ü", 100, 199))
          .isEqualTo(Arrays.copyOfRange(small, 100, 200));

      client.uploadInParts(bucket, "large", file);
      assertThat(client.get(bucket, "large")).isEqualTo(large);

      keys.add("large");
      keys.sort((a, b) -> Arrays.compareUnsigned(utf8(a), utf8(b)));
      assertThat(client.list(bucket)).isEqualTo(keys);
      assertThat(fetch(client.presign(bucket, "with space"))).isEqualTo(small);

      for (String key : keys) {
        client.delete(bucket, key);
        assertThat(client.exists(bucket, key)).isFalse();
      }
      client.deleteBucket(bucket);
    }
  }

  private byte[] fetch(URI url) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    try (InputStream certificate = Files.newInputStream(folder.resolve("cert.pem"))) {
      trusted.setCertificateEntry(
          "tarn", CertificateFactory.getInstance("X.509").generateCertificate(certificate));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, trust.getTrustManagers(), null);
    try (HttpClient http = HttpClient.newBuilder().sslContext(tls).build()) {
      HttpResponse<byte[]> answer =
          http.send(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.ofByteArray());
      assertThat(answer.statusCode()).isEqualTo(200);
      return answer.body();
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }

  private static String md5(byte[] bytes) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(bytes));
  }
}
