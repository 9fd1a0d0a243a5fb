package dev.tarn.e2e.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A user's day with an S3 client: every byte and ETag compared, and the bucket gone at its end. */
final class UsersDay {
  /** Keys that no file can have, or that clients get wrong. */
  private static final List<String> ODD_KEYS =
      List.of(
          "a//b",
          "a/../b",
          "/leading",
          "%2F",
          "100%",
          "plus+sign",
          "é/ü",
          "with space",
          "*'()!~",
          "folder/",
          "\uFFFD",
          "\uD83D\uDE00",
          "x".repeat(1024));

  private static final int DELETE_KEYS_MAX = 1000;
  private static final Duration ANSWER_TIME_MAX = Duration.ofMinutes(5);

  private final JavaClient client;
  private final String bucket;
  private final Optional<Path> certificate;
  private final Map<String, byte[]> objects = new TreeMap<>(UsersDay::compareUtf8);

  /**
   * Sets a day up.
   *
   * @param certificate that an https endpoint shows, as PEM; none for http
   */
  UsersDay(JavaClient client, String bucket, Optional<Path> certificate) {
    this.client = client;
    this.bucket = bucket;
    this.certificate = certificate;
  }

  /**
   * Spends it.
   *
   * @param tree of files to upload and to compare
   * @param large a file to upload in parts
   */
  void spend(Path tree, Path large) throws Exception {
    client.createBucket(bucket);
    upload(tree);
    putOddKeys();
    uploadInParts(large);
    copyAndOverwrite();
    writeUnderConditions();
    assertThat(client.list(bucket, 100)).containsExactlyElementsOf(objects.keySet());
    for (Map.Entry<String, byte[]> object : objects.entrySet()) {
      assertThat(client.get(bucket, object.getKey()))
          .as(object.getKey())
          .isEqualTo(object.getValue());
    }
    assertThat(fetch(client.presign(bucket, "with space"))).isEqualTo(bytesOf("with space"));
    deleteAll();
    client.deleteBucket(bucket);
  }

  private void upload(Path tree) throws Exception {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(tree)) {
      files = walk.filter(Files::isRegularFile).toList();
    }
    assertThat(files).isNotEmpty();
    for (Path file : files) {
      String key = "tree/" + tree.relativize(file);
      if (client.names(key)) {
        put(key, Files.readAllBytes(file));
      }
    }
  }

  private void putOddKeys() throws Exception {
    for (String key : ODD_KEYS) {
      if (client.names(key)) {
        put(key, ("bytes of " + key).getBytes(UTF_8));
      }
    }
    byte[] bytes = bytesOf("é/ü");
    assertThat(client.getRange(bucket, "é/ü", 3, 8)).isEqualTo(Arrays.copyOfRange(bytes, 3, 9));
  }

  private void put(String key, byte[] bytes) throws Exception {
    assertThat(client.put(bucket, key, bytes)).as(key).isEqualTo(md5(bytes));
    objects.put(key, bytes);
  }

  private byte[] bytesOf(String key) {
    return requireNonNull(objects.get(key), key);
  }

  private void uploadInParts(Path large) throws Exception {
    client.uploadInParts(bucket, "large", large);
    byte[] bytes = bytes(large);
    objects.put("large", bytes);
    assertThat(client.etag(bucket, "large")).matches("[0-9a-f]{32}-\\d+");
    int middle = bytes.length / 2;
    assertThat(client.getRange(bucket, "large", middle - 1000, middle + 999))
        .isEqualTo(Arrays.copyOfRange(bytes, middle - 1000, middle + 1000));
  }

  private static byte[] bytes(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      byte[] bytes = new byte[(int) channel.size()];
      channel.map(MapMode.READ_ONLY, 0, bytes.length).get(bytes);
      return bytes;
    }
  }

  private void copyAndOverwrite() throws Exception {
    client.copy(bucket, "é/ü", "copy of é+ü");
    objects.put("copy of é+ü", bytesOf("é/ü"));
    client.copy(bucket, "large", "copy of large");
    objects.put("copy of large", bytesOf("large"));
    put("plus+sign", "other bytes".getBytes(UTF_8));
  }

  private void writeUnderConditions() throws Exception {
    byte[] first = "first".getBytes(UTF_8);
    assertThat(client.putIfAbsent(bucket, "once", first)).isTrue();
    assertThat(client.putIfAbsent(bucket, "once", "second".getBytes(UTF_8))).isFalse();
    objects.put("once", first);
  }

  private void deleteAll() throws Exception {
    List<String> keys = new ArrayList<>(objects.keySet());
    String last = keys.removeLast();
    for (int at = 0; at < keys.size(); at += DELETE_KEYS_MAX) {
      client.deleteAll(bucket, keys.subList(at, Math.min(keys.size(), at + DELETE_KEYS_MAX)));
    }
    assertThat(client.list(bucket, 100)).containsExactly(last);
    client.delete(bucket, last);
    assertThat(client.etag(bucket, last)).isEmpty();
    client.delete(bucket, "never there");
  }

  private byte[] fetch(URI url) throws Exception {
    try (HttpClient http = httpClient()) {
      HttpRequest get = HttpRequest.newBuilder(url).timeout(ANSWER_TIME_MAX).build();
      HttpResponse<byte[]> answer = http.send(get, HttpResponse.BodyHandlers.ofByteArray());
      assertThat(answer.statusCode()).isEqualTo(200);
      return answer.body();
    }
  }

  private HttpClient httpClient() throws Exception {
    if (certificate.isEmpty()) {
      return HttpClient.newHttpClient();
    }
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    try (InputStream in = Files.newInputStream(certificate.orElseThrow())) {
      trusted.setCertificateEntry(
          "tarn", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, trust.getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(tls).build();
  }

  private static int compareUtf8(String one, String other) {
    return Arrays.compareUnsigned(one.getBytes(UTF_8), other.getBytes(UTF_8));
  }

  private static String md5(byte[] bytes) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(bytes));
  }
}
