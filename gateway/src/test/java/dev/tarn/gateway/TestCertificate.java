package dev.tarn.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/** A self-signed certificate for localhost in PEM files, made by the JDK's keytool. */
final class TestCertificate {
  private static final String PASSWORD = "changeit";

  private final KeyStore keys;
  private final GatewayConfig.TlsFiles files;

  TestCertificate(Path folder) throws IOException, GeneralSecurityException, InterruptedException {
    Path store = folder.resolve("store.p12");
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    String options =
        "-genkeypair -alias tarn -keyalg EC -dname CN=localhost -ext san=dns:localhost,ip:127.0.0.1"
            + " -storetype PKCS12 -storepass "
            + PASSWORD
            + " -keystore";
    int status =
        new ProcessBuilder((keytool + " " + options + " " + store).split(" "))
            .inheritIO()
            .start()
            .waitFor();
    if (status != 0) {
      throw new IOException("keytool ended with " + status);
    }
    keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    byte[] certificate = keys.getCertificate("tarn").getEncoded();
    byte[] key = keys.getKey("tarn", PASSWORD.toCharArray()).getEncoded();
    files =
        new GatewayConfig.TlsFiles(
            pem(folder.resolve("cert.pem"), "CERTIFICATE", certificate),
            pem(folder.resolve("key.pem"), "PRIVATE KEY", key));
  }

  private static Path pem(Path file, String kind, byte[] der) throws IOException {
    String body = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(der);
    return Files.writeString(
        file, "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n");
  }

  /** The PEM files. */
  GatewayConfig.TlsFiles files() {
    return files;
  }

  /** Makes sockets that trust this certificate alone. */
  SSLSocketFactory sockets() throws GeneralSecurityException {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(keys);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context.getSocketFactory();
  }
}
