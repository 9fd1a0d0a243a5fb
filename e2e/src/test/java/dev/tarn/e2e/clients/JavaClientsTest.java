package dev.tarn.e2e.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.e2e.process.TarnProcess;
import dev.tarn.fixtures.TestCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each Java client spends a small day with Tarn, over http and over https. */
@TestInstance(Lifecycle.PER_CLASS)
class JavaClientsTest {
  private static final int LARGE_BYTES = 20 << 20;

  private final Path folder;
  private final TarnProcess plain;
  private final TarnProcess secure;

  JavaClientsTest(@TempDir Path folder) throws Exception {
    this.folder = folder;
    TestCertificate.in(folder);
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

  static Stream<Arguments> clients() {
    return Stream.of("http", "https")
        .flatMap(scheme ->
            Arrays.stream(JavaClientKind.values()).map(kind -> Arguments.of(kind, scheme)));
  }

  @ParameterizedTest(name = "{0} over {1}")
  @MethodSource("clients")
  void whatAClientWritesItReadsBackListsAndDeletes(JavaClientKind kind, String scheme)
      throws Exception {
    TarnProcess server = scheme.equals("https") ? secure : plain;
    Random random = new Random(kind.title().hashCode());
    byte[] bytes = new byte[LARGE_BYTES];
    random.nextBytes(bytes);
    Path work = Files.createDirectory(folder.resolve(kind.title() + "-" + scheme));
    Path large = Files.write(work.resolve("large"), bytes);
    Path tree = Files.createDirectories(work.resolve("tree/deep er"));
    Files.write(tree.resolve("empty"), new byte[0]);
    Files.write(tree.resolve("a+b é.txt"), Arrays.copyOf(bytes, 8192));
    S3Endpoint endpoint =
        new S3Endpoint(server.s3(), TarnProcess.ACCESS_KEY, TarnProcess.SECRET_KEY);

    try (JavaClient client = kind.open(endpoint)) {
      Optional<Path> certificate =
          Optional.of(folder.resolve("cert.pem")).filter(_ -> scheme.equals("https"));
      new UsersDay(client, "day-" + kind.title() + "-" + scheme, certificate)
          .spend(work.resolve("tree"), large);
    }
  }
}
