package dev.tarn.client.internal.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The certificate authorities to trust instead of the JVM's: the PEM file that AWS_CA_BUNDLE names,
 * as for aws-cli.
 *
 * @param file the PEM file
 */
record CaBundle(Path file) {
  /** The bundle that the environment names. */
  static Optional<CaBundle> in(Function<String, @Nullable String> environment) {
    return Optional.ofNullable(environment.apply("AWS_CA_BUNDLE"))
        .filter(name -> !name.isEmpty())
        .map(name -> new CaBundle(Path.of(name)));
  }

  /**
   * Trust managers that trust these authorities alone.
   *
   * @throws IllegalArgumentException if the file holds no certificates that can be read
   */
  TrustManager[] trustManagers() {
    try (InputStream pem = Files.newInputStream(file)) {
      Collection<? extends Certificate> each =
          CertificateFactory.getInstance("X.509").generateCertificates(pem);
      if (each.isEmpty()) {
        throw new IllegalArgumentException(
            "AWS_CA_BUNDLE is %s, which holds no certificate".formatted(file));
      }
      return trusting(each);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalArgumentException(
          "AWS_CA_BUNDLE is %s, which cannot be read as certificates in PEM: %s".formatted(file, e),
          e);
    }
  }

  /** Trust managers that trust these authorities alone. */
  static TrustManager[] trusting(Collection<? extends Certificate> authorities)
      throws GeneralSecurityException, IOException {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    int count = 0;
    for (Certificate each : authorities) {
      trusted.setCertificateEntry("ca-" + count, each);
      count++;
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    return trust.getTrustManagers();
  }
}
