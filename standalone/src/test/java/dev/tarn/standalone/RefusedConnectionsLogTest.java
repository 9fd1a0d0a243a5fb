package dev.tarn.standalone;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.tarn.transport.tls.MemberTls;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** What a target's log says of connections that its ports refuse. */
@Timeout(60)
class RefusedConnectionsLogTest {
  private final Logger logger =
      (Logger) LoggerFactory.getLogger("dev.tarn.transport.tls.HandshakeFailures");

  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Vertx vertx = Vertx.vertx();
  private final MemberTls tls = LoneMember.tls();

  @BeforeEach
  void listen() {
    lines.start();
    logger.setLevel(Level.DEBUG);
    logger.addAppender(lines);
  }

  @AfterEach
  void close() {
    logger.detachAppender(lines);
    logger.setLevel(null);
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  private int listen(HttpServerOptions options) {
    return vertx
        .createHttpServer(options)
        .requestHandler(request -> request.response().end())
        .listen(0, "127.0.0.1")
        .toCompletionStage()
        .toCompletableFuture()
        .join()
        .actualPort();
  }

  private static String callInTheClear(String from, int port) throws IOException {
    try (Socket socket = connection(from, port)) {
      socket.getOutputStream().write("GET / HTTP/1.1\r\nhost: x\r\n\r\n".getBytes(US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    }
  }

  /** Refuses the server's certificate, as a browser does. */
  private static void refuse(String from, int port) throws IOException {
    SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
    try (Socket socket = connection(from, port);
        SSLSocket secured = (SSLSocket) factory.createSocket(socket, "127.0.0.1", port, true)) {
      assertThatThrownBy(secured::startHandshake).isInstanceOf(SSLException.class);
    }
  }

  /** Each test calls from hosts of its own, since the log names a host once an hour. */
  private static Socket connection(String from, int port) throws IOException {
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    return socket;
  }

  /** The first line about a host; waits for it. */
  private ILoggingEvent line(String host) {
    while (true) {
      synchronized (lines) {
        for (ILoggingEvent line : List.copyOf(lines.list)) {
          if (line.getFormattedMessage().contains(host)) {
            return line;
          }
        }
      }
      Thread.onSpinWait();
    }
  }

  @Test
  void internalPortWarnsOnceOfAHostThatCallsInTheClearAndDoesNotBlameTheSettings()
      throws IOException {
    int port = listen(tls.mutual(new HttpServerOptions()));
    assertThat(callInTheClear("127.0.0.41", port)).startsWith("HTTP/1.1 426 ");
    assertThat(callInTheClear("127.0.0.41", port)).startsWith("HTTP/1.1 426 ");
    assertThat(lines.list).hasSize(1);
    assertThat(line("127.0.0.41").getLevel()).isEqualTo(Level.WARN);
    assertThat(line("127.0.0.41").getFormattedMessage())
        .contains("connection from 127.0.0.41 failed: it calls in the clear")
        .contains("gateways follow the announcement of this target")
        .doesNotContain("cluster.tls");
  }

  @Test
  void internalPortWarnsOfACallerThatRefusesItsCertificate() throws IOException {
    refuse("127.0.0.42", listen(tls.mutual(new HttpServerOptions())));
    assertThat(line("127.0.0.42").getLevel()).isEqualTo(Level.WARN);
    assertThat(line("127.0.0.42").getFormattedMessage())
        .contains("failed: it refused the certificate of this process");
  }

  @Test
  void portForDirectReadsDoesNotWarnOfItsCallers() throws IOException {
    int port = listen(tls.serverOnly(new HttpServerOptions()));
    assertThat(callInTheClear("127.0.0.43", port)).startsWith("HTTP/1.1 426 ");
    refuse("127.0.0.43", port);
    assertThat(line("127.0.0.43").getLevel()).isEqualTo(Level.DEBUG);
    assertThat(line("127.0.0.43").getFormattedMessage())
        .contains("certificate_unknown")
        .doesNotContain("authority");
    assertThat(lines.list).hasSize(1);
  }
}
