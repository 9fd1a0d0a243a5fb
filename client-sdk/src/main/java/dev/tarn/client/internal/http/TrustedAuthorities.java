package dev.tarn.client.internal.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * The authorities that a gateway names for one of its targets. Connections that trust them trust no
 * others, and are used for such targets alone.
 */
public final class TrustedAuthorities {
  private static final int TEXT_LENGTH_MAX = 64 * 1024;
  private static final int COUNT_MAX = 16;
  private static final String[] PROTOCOLS = {"TLSv1.3"};

  private final SSLSocketFactory sockets;

  private TrustedAuthorities(SSLSocketFactory sockets) {
    this.sockets = sockets;
  }

  /**
   * Parses certificates: DER in base64, separated by commas.
   *
   * @throws IllegalArgumentException if they cannot be read
   */
  public static TrustedAuthorities parse(String text) {
    String[] each = text.split(",", COUNT_MAX + 1);
    if (text.length() > TEXT_LENGTH_MAX || each.length > COUNT_MAX) {
      throw new IllegalArgumentException(
          "%d characters or more than %d certificates".formatted(text.length(), COUNT_MAX));
    }
    try {
      List<Certificate> certificates = new ArrayList<>();
      for (String encoded : each) {
        byte[] der = Base64.getDecoder().decode(encoded.strip());
        certificates.add(
            CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(der)));
      }
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, CaBundle.trusting(certificates), null);
      return new TrustedAuthorities(context.getSocketFactory());
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException("certificates that cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Encrypts a connection, after the server has proved that it is this host.
   *
   * @param plain connected; its timeouts bound the handshake
   */
  SSLSocket secure(Socket plain, String host, int port) throws IOException {
    SSLSocket secured = (SSLSocket) sockets.createSocket(plain, host, port, true);
    SSLParameters parameters = secured.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    parameters.setProtocols(PROTOCOLS);
    secured.setSSLParameters(parameters);
    secured.startHandshake();
    return secured;
  }
}
