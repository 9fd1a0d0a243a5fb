package dev.tarn.e2e.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/** A self-signed certificate for localhost as PEM files, made by the JDK's keytool. */
public final class TestCertificate {
  private static final String PASSWORD = "changeit";

  private TestCertificate() {}

  /** Writes {@code cert.pem} and {@code key.pem} to a folder. */
  public static void write(Path folder) throws IOException, GeneralSecurityException {
    Path store = folder.resolve("store.p12");
    try {
      int status =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                  "-genkeypair",
                  "-alias",
                  "tarn",
                  "-keyalg",
                  "EC",
                  "-dname",
                  "CN=localhost",
                  "-ext",
                  "san=dns:localhost,ip:127.0.0.1",
                  "-storetype",
                  "PKCS12",
                  "-keystore",
                  store.toString(),
                  "-storepass",
                  PASSWORD)
              .inheritIO()
              .start()
              .waitFor();
      if (status != 0) {
        throw new IOException("keytool ended with " + status);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while keytool ran", e);
    }
    KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    pem(folder.resolve("cert.pem"), "CERTIFICATE", keys.getCertificate("tarn").getEncoded());
    pem(
        folder.resolve("key.pem"),
        "PRIVATE KEY",
        keys.getKey("tarn", PASSWORD.toCharArray()).getEncoded());
  }

  private static void pem(Path file, String kind, byte[] der) throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    Files.writeString(
        file, "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n");
  }
}
