package dev.tarn.client.internal.http;

import java.time.Duration;

/**
 * Bounds of a client's connections.
 *
 * @param connectTimeout bound of making one
 * @param idleTimeout bound of waiting for the next byte of an answer
 * @param connectionsMax how many are open at once
 */
public record ConnectionLimits(Duration connectTimeout, Duration idleTimeout, int connectionsMax) {}
