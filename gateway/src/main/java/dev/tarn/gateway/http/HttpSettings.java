package dev.tarn.gateway.http;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the listener.
 *
 * @param host the host to listen on
 * @param port the port to listen on; 0 picks a free one
 * @param certificateChain a PEM file for https; null for http
 * @param privateKey a PEM file for https; null for http
 */
public record HttpSettings(
    String host,
    int port,
    @Nullable Path certificateChain,
    @Nullable Path privateKey,
    GatewayLimits limits) {
  public HttpSettings {
    requireNonNull(host, "host is null");
    requireNonNull(limits, "limits is null");
  }
}
