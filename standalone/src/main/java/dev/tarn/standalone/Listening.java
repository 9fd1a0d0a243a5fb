package dev.tarn.standalone;

import dev.tarn.gateway.GatewayConfig.TlsFiles;
import dev.tarn.standalone.node.StartFailure;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Error texts, URLs and certificate checks that all listeners share. */
final class Listening {
  private Listening() {}

  /** The message; if the address is wrong, with advice to change {@code flag}. */
  static String explain(String message, String flag, Throwable cause) {
    boolean wrongAddress =
        cause instanceof SocketException
            || cause instanceof UnknownHostException
            || message.contains("bind");
    return wrongAddress
        ? message
            + "; give "
            + flag
            + " another address or port, such as 127.0.0.1:0 for a free one"
        : message;
  }

  /** The URL of a listener; an IPv6 host is put in brackets. */
  static URI url(String scheme, String host, int port) {
    return URI.create(
        scheme + "://" + (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port);
  }

  /** Throws if a certificate or private key is configured and not a readable file. */
  static void requireFiles(String section, Optional<TlsFiles> tls) throws StartFailure {
    if (tls.isPresent()) {
      requireFile(section + ".certificate-chain", tls.orElseThrow().certificateChain());
      requireFile(section + ".private-key", tls.orElseThrow().privateKey());
    }
  }

  private static void requireFile(String key, Path file) throws StartFailure {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw new StartFailure(key + " is " + file + ", must be a PEM file that can be read");
    }
  }
}
