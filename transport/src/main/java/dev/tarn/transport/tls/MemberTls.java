package dev.tarn.transport.tls;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.SSLEngineOptions;
import io.vertx.core.spi.tls.SslContextFactory;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSessionContext;

/**
 * The TLS of one member, with the identity that it has now. TLS 1.3 only. Each connection takes the
 * identity of the moment in which its handshake begins, and keeps it. A new identity comes with new
 * sessions, so no connection resumes a session that an older identity agreed on.
 */
public final class MemberTls {
  /**
   * How long a handshake may take. A caller may have sent its call with the last message, and a
   * server that is late because its machine is busy must not close on it.
   */
  public static final Duration HANDSHAKE_MAX = Duration.ofSeconds(30);

  /** How long a client of requests that have a short limit themselves waits for a handshake. */
  private static final Duration CLIENT_HANDSHAKE_MAX = Duration.ofSeconds(5);

  private static final String[] PROTOCOLS = {"TLSv1.3"};

  /** Vert.x demands keys of every server, although it uses those of the context. */
  private static final KeyManagerFactory NO_KEYS = noKeys();

  private volatile Contexts current;

  /** Creates the TLS of a member that begins with this identity. */
  public MemberTls(MemberIdentity identity) {
    this.current = Contexts.of(identity);
  }

  /** The contexts of one identity. */
  private record Contexts(
      MemberIdentity identity,
      String authorities,
      SslContext mutual,
      SslContext serverOnly,
      SslContext client) {
    static Contexts of(MemberIdentity identity) {
      requireNonNull(identity, "identity is null");
      X509Certificate[] chain = identity.chain().toArray(new X509Certificate[0]);
      X509Certificate[] authorities = identity.authorities().toArray(new X509Certificate[0]);
      try {
        return new Contexts(
            identity,
            encoded(identity.authorities()),
            bounded(SslContextBuilder.forServer(identity.key(), chain))
                .trustManager(authorities)
                .clientAuth(ClientAuth.REQUIRE)
                .build(),
            bounded(SslContextBuilder.forServer(identity.key(), chain)).build(),
            bounded(SslContextBuilder.forClient())
                .keyManager(identity.key(), chain)
                .trustManager(authorities)
                .endpointIdentificationAlgorithm("HTTPS")
                .build());
      } catch (SSLException | CertificateEncodingException | IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "Certificate of " + identity + " cannot be used: " + e.getMessage(), e);
      }
    }

    private static String encoded(List<X509Certificate> authorities)
        throws CertificateEncodingException {
      StringJoiner text = new StringJoiner(",");
      for (X509Certificate authority : authorities) {
        text.add(Base64.getEncoder().encodeToString(authority.getEncoded()));
      }
      return text.toString();
    }

    private static SslContextBuilder bounded(SslContextBuilder builder) {
      return builder.sslProvider(SslProvider.JDK).protocols(PROTOCOLS);
    }
  }

  private static KeyManagerFactory noKeys() {
    try {
      KeyManagerFactory none =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      none.init(null, null);
      return none;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This JVM cannot serve TLS", e);
    }
  }

  /** The identity that new connections take. */
  public MemberIdentity identity() {
    return current.identity();
  }

  /**
   * Uses another identity for all handshakes that begin from now on. Open connections continue.
   *
   * @throws IllegalArgumentException if the key or a certificate cannot be used; the current
   *     identity then stays
   */
  public void replace(MemberIdentity identity) {
    current = Contexts.of(identity);
  }

  /** The trusted authorities: certificates in DER and base64, separated by commas. */
  public String authorities() {
    return current.authorities();
  }

  /** Makes a server demand a certificate of every client. */
  public HttpServerOptions mutual(HttpServerOptions options) {
    return secured(options, new CurrentContext(Contexts::mutual, false));
  }

  /** Makes a server show its certificate and demand none. */
  public HttpServerOptions serverOnly(HttpServerOptions options) {
    return secured(options, new CurrentContext(Contexts::serverOnly, true));
  }

  /**
   * The cryptography of handshakes runs on worker threads: on a busy machine it takes so long that
   * an event loop would leave calls and probes on other connections unanswered.
   */
  private static HttpServerOptions secured(HttpServerOptions options, CurrentContext context) {
    return options
        .setSsl(true)
        .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
        .setSslHandshakeTimeout(HANDSHAKE_MAX.toMillis())
        .setKeyCertOptions(KeyCertOptions.wrap(NO_KEYS))
        .setSslEngineOptions(new CurrentEngines(context).setUseWorkerThread(true));
  }

  /** Makes a client show its certificate, and verify the server's for the host that it calls. */
  public HttpClientOptions client(HttpClientOptions options) {
    return options
        .setSsl(true)
        .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
        .setSslHandshakeTimeout(CLIENT_HANDSHAKE_MAX.toMillis())
        .setSslEngineOptions(new CurrentEngines(new CurrentContext(Contexts::client, false)));
  }

  /** Secures one connection to this host, like {@link #client}. */
  public SslHandler handler(ByteBufAllocator allocator, String host, int port) {
    return current.client().newHandler(allocator, host, port);
  }

  /** Lets Vert.x ask for a context once, and yet use the current identity. */
  private static final class CurrentEngines extends SSLEngineOptions {
    private final CurrentContext context;

    CurrentEngines(CurrentContext context) {
      this.context = context;
    }

    @Override
    public SSLEngineOptions copy() {
      return this;
    }

    @Override
    public SslContextFactory sslContextFactory() {
      return () -> context;
    }
  }

  /** Secures a connection of a member or a direct reader; logs why one is refused. */
  private static final class ServerHandler extends SslHandler {
    private final String peerHost;
    private final boolean readers;

    ServerHandler(
        SSLEngine engine, boolean startTls, Executor executor, String peerHost, boolean readers) {
      super(engine, startTls, executor);
      this.peerHost = peerHost;
      this.readers = readers;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) throws Exception {
      super.handlerAdded(context);
      context.pipeline().addFirst(new PortGuard(true, peerHost, readers));
      handshakeFuture()
          .addListener(made -> {
            if (!made.isSuccess() && readers) {
              HandshakeFailures.refusedReader(peerHost, made.cause());
            } else if (!made.isSuccess()) {
              HandshakeFailures.refusedMember(peerHost, made.cause());
            }
          });
    }
  }

  /** The context of the current identity. */
  private final class CurrentContext extends SslContext {
    private final Function<Contexts, SslContext> side;
    private final boolean readers;

    CurrentContext(Function<Contexts, SslContext> side, boolean readers) {
      this.side = side;
      this.readers = readers;
    }

    private SslContext now() {
      return side.apply(current);
    }

    @Override
    public boolean isClient() {
      return now().isClient();
    }

    @Override
    public List<String> cipherSuites() {
      return now().cipherSuites();
    }

    @Override
    @SuppressWarnings("deprecation") // Abstract in SslContext.
    public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
      return now().applicationProtocolNegotiator();
    }

    @Override
    public SSLEngine newEngine(ByteBufAllocator allocator) {
      return now().newEngine(allocator);
    }

    @Override
    public SSLEngine newEngine(ByteBufAllocator allocator, String peerHost, int peerPort) {
      return now().newEngine(allocator, peerHost, peerPort);
    }

    /** Called by Vert.x for each connection. */
    @Override
    protected SslHandler newHandler(
        ByteBufAllocator allocator,
        String peerHost,
        int peerPort,
        boolean startTls,
        Executor executor) {
      SSLEngine engine = newEngine(allocator, peerHost, peerPort);
      return isClient()
          ? new SslHandler(engine, startTls, executor)
          : new ServerHandler(engine, startTls, executor, String.valueOf(peerHost), readers);
    }

    @Override
    public SSLSessionContext sessionContext() {
      return now().sessionContext();
    }
  }
}
