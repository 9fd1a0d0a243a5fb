package dev.tarn.gateway.http;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the listener. The gateway's configuration checks their bounds.
 *
 * @param host the host to listen on
 * @param port the port to listen on; 0 picks a free one
 * @param certificateChain a PEM file for https; null for http
 * @param privateKey a PEM file for https; null for http
 * @param initialLineBytesMax the maximum size of the request line
 * @param headerBytesMax the maximum size of all headers together
 * @param bodyBytesMax the maximum length that a request may declare for its body
 * @param connectionsMax the maximum number of open connections
 * @param heldBytesMax the memory that connections and requests may hold until clients with more
 *     than a fair share are refused
 * @param idleMsMax how long a connection without a request stays open if no bytes arrive
 * @param progressPeriodMs the period in which {@code progressBytesMin} must move while a client
 *     holds more than its fair share
 * @param progressBytesMin the minimum that a client must send or receive per period
 * @param stalledMsMax the period for all other clients, and the time for a request's head
 * @param unreadBytesMax how many bytes of an unwanted body are read, at most
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
    long heldBytesMax,
    long idleMsMax,
    long progressPeriodMs,
    long progressBytesMin,
    long stalledMsMax,
    long unreadBytesMax) {
  public HttpSettings {
    requireNonNull(host, "host is null");
  }
}
