package dev.tarn.standalone;

import dev.tarn.gateway.GatewayConfig;
import dev.tarn.gateway.GatewayConfig.TlsFiles;
import dev.tarn.gateway.admin.AdminConfig;
import dev.tarn.standalone.config.ControlConfig;
import dev.tarn.standalone.config.TarnConfig;
import dev.tarn.standalone.node.StartFailure;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
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

  /** Throws if an address of the process is wrong, or its port is in use. */
  static void requireFree(TarnConfig config) throws StartFailure {
    GatewayConfig gateway = config.gateway();
    ControlConfig control = config.control();
    switch (config.role()) {
      case ALL, GATEWAY -> requireFree("S3 listener", gateway.host(), gateway.port(), "--listen");
      case TARGET -> requireFree("internal listener", gateway.host(), gateway.port(), "--listen");
      case CONTROL -> requireFree("control listener", control.host(), control.port(), "--listen");
    }
    AdminConfig admin = config.admin();
    requireFree("admin listener", admin.host(), admin.port(), "--admin-listen");
  }

  private static void requireFree(String what, String host, int port, String flag)
      throws StartFailure {
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(host, port));
    } catch (IOException e) {
      String problem = what + " cannot serve on " + host + ":" + port + ": " + e.getMessage();
      throw new StartFailure(explain(problem, flag, e), e);
    }
  }

  /** The URL of a listener; an IPv6 host is put in brackets. */
  static URI url(String scheme, String host, int port) {
    return URI.create(
        scheme + "://" + (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port);
  }

  /** The address by which this process reaches a listener of its own on this host. */
  static String own(String host) {
    return switch (host) {
      case "0.0.0.0" -> "127.0.0.1";
      case "::", "[::]" -> "::1";
      default -> host;
    };
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
