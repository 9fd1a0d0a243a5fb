package dev.tarn.gateway.http;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How the listener is set up; bounds are checked by the gateway's configuration.
 *
 * @param host to listen on
 * @param port 0 picks a free one
 * @param certificateChain a PEM file for https; null for http
 * @param privateKey a PEM file for https; null for http
 * @param initialLineBytesMax the request line
 * @param headerBytesMax all headers
 * @param bodyBytesMax a body as it is declared
 * @param connectionsMax open connections
 * @param requestsMax requests in flight
 * @param idleMsMax a connection without a request
 * @param progressPeriodMs in which {@code progressBytesMin} must move
 * @param progressBytesMin that a client must send or take per period
 * @param unreadBytesMax how much is read of a body that nobody wants
 */
public record HttpSettings(
    String host,
    int port,
    @Nullable Path certificateChain,
    @Nullable Path privateKey,
    int initialLineBytesMax,
    int headerBytesMax,
    long bodyBytesMax,
    int connectionsMax,
    int requestsMax,
    long idleMsMax,
    long progressPeriodMs,
    long progressBytesMin,
    long unreadBytesMax) {
  public HttpSettings {
    requireNonNull(host, "host is null");
  }
}
