package dev.tarn.standalone;

import dev.tarn.cluster.capability.ClusterSecrets;
import dev.tarn.cluster.control.remote.ControlTransport;
import dev.tarn.cluster.control.remote.HttpControlTransport;
import dev.tarn.sharder.cli.output.FailureHandler;
import dev.tarn.standalone.config.ClusterConfig;
import dev.tarn.standalone.node.SmallFile;
import dev.tarn.standalone.node.StartFailure;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The cluster's secret, and the transport to the control plane with its trusted certificates. */
final class ClusterAccess {
  private ClusterAccess() {}

  /**
   * The secret by which this process proves that it belongs to the cluster.
   *
   * @throws StartFailure if the file is not set, not readable, readable by others or not valid
   */
  static ClusterSecrets secrets(ClusterConfig cluster) throws StartFailure {
    Path file =
        cluster
            .secretFile()
            .orElseThrow(() ->
                new StartFailure(
                    "cluster.secret-file is not set; the members of a cluster need the same file"
                        + " of at least "
                        + ClusterSecrets.SECRET_BYTES_MIN
                        + " random bytes"));
    try {
      if (SmallFile.isOpenToOthers(file)) {
        throw new StartFailure("others can read or change the cluster's secret; chmod 600 " + file);
      }
      byte[] secret = Files.readAllBytes(file);
      String id = cluster.secretId();
      return new ClusterSecrets(id, Map.of(id, secret));
    } catch (IOException e) {
      throw new StartFailure(
          "the cluster's secret in " + file + " cannot be read: " + FailureHandler.message(e), e);
    } catch (IllegalArgumentException e) {
      throw new StartFailure("the secret in " + file + ": " + e.getMessage(), e);
    }
  }

  /**
   * The transport to the control plane; over TLS it trusts {@code cluster.control-ca} if that is
   * set.
   */
  static ControlTransport transport(ClusterConfig cluster) throws StartFailure {
    URI url = cluster.control().orElseThrow();
    Optional<Path> ca = cluster.controlCa();
    return new HttpControlTransport(
        url, ca.isPresent() ? Optional.of(trusting(ca.orElseThrow())) : Optional.empty());
  }

  private static SSLContext trusting(Path ca) throws StartFailure {
    try (InputStream pem = Files.newInputStream(ca)) {
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      for (Certificate certificate :
          CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
        trusted.setCertificateEntry("ca-" + trusted.size(), certificate);
      }
      if (trusted.size() == 0) {
        throw new StartFailure("cluster.control-ca is " + ca + ", which holds no certificate");
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new StartFailure(
          "cluster.control-ca is "
              + ca
              + ", must be a file of PEM certificates: "
              + FailureHandler.message(e),
          e);
    }
  }
}
