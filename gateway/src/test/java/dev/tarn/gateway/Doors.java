package dev.tarn.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.fixtures.TestCertificate;
import dev.tarn.gateway.HandSigner.Signed;
import dev.tarn.gateway.RawConnection.RawResponse;
import dev.tarn.gateway.http.GatewayLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLSocketFactory;

/** A gateway over http and one over https, each with a bucket, and requests to them by hand. */
final class Doors implements AutoCloseable {
  /** The domain of virtual-host style requests. */
  static final String DOMAIN = "s3.test";

  private final SSLSocketFactory sockets;
  private final GatewayFixture http;
  private final GatewayFixture https;

  /** How a client comes; its way to send a body may depend on it. */
  enum Scheme {
    HTTP,
    HTTPS
  }

  /** Opens both, with a certificate in this folder, and makes a bucket of Alice's in each. */
  Doors(Path folder, String bucket) throws IOException, GeneralSecurityException {
    TestCertificate certificate = TestCertificate.in(folder);
    sockets = certificate.sockets();
    http = gateway(Optional.empty());
    https =
        gateway(Optional.of(new GatewayConfig.TlsFiles(certificate.chain(), certificate.key())));
    http.createPublicBucket(bucket);
    https.createPublicBucket(bucket);
  }

  private static GatewayFixture gateway(Optional<GatewayConfig.TlsFiles> tls) {
    GatewayConfig plain = GatewayFixture.config(GatewayLimits.DEFAULT);
    return new GatewayFixture(
        new GatewayConfig(
            plain.host(),
            plain.port(),
            tls,
            List.of(DOMAIN),
            plain.region(),
            plain.limits(),
            plain.bucketDefaults(),
            plain.accessLog()),
        UnaryOperator.identity());
  }

  private int port(Scheme scheme) {
    return (scheme == Scheme.HTTP ? http : https).port();
  }

  /** Goes to one of them. */
  Visit visit(Scheme scheme) throws IOException {
    return visit(scheme, "localhost");
  }

  /** Goes to one of them under this name. */
  Visit visit(Scheme scheme, String name) throws IOException {
    RawConnection connection =
        scheme == Scheme.HTTP
            ? new RawConnection(port(scheme))
            : new RawConnection(
                sockets.createSocket(InetAddress.getLoopbackAddress(), port(scheme)));
    return new Visit(connection, new HandSigner(name + ":" + port(scheme)));
  }

  @Override
  public void close() {
    http.close();
    https.close();
  }

  /** One connection, over which a client's requests go one behind the other. */
  record Visit(RawConnection connection, HandSigner signer) implements AutoCloseable {
    /** Sends a request whose body has this hash or is in this mode, framed as the headers say. */
    RawResponse send(
        String method,
        String target,
        String mode,
        Map<String, String> signed,
        String unsigned,
        byte[] body)
        throws IOException {
      Signed request = signer.sign(method, target, mode, signed);
      connection.send(request.with(unsigned));
      if (signed.containsKey("expect") || unsigned.contains("100-continue")) {
        RawResponse leave = connection.receive();
        if (leave.status() != 100) {
          return leave;
        }
      }
      return connection.send(body).receive(method.equals("HEAD"));
    }

    /** Sends a request with a signed body of known length. */
    RawResponse send(String method, String target, Map<String, String> signed, String body)
        throws IOException {
      byte[] bytes = body.getBytes(UTF_8);
      return send(
          method,
          target,
          HandSigner.sha256(bytes),
          signed,
          "Content-Length: " + bytes.length + "\r\n",
          bytes);
    }

    /** Sends a request without a body. */
    RawResponse send(String method, String target, Map<String, String> signed) throws IOException {
      return send(method, target, HandSigner.sha256(new byte[0]), signed, "", new byte[0]);
    }

    @Override
    public void close() throws IOException {
      connection.close();
    }
  }
}
