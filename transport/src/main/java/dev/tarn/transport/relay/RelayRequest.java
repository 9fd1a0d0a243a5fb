package dev.tarn.transport.relay;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.target.IncomingBody;
import java.util.Optional;

/**
 * An encoded call.
 *
 * @param message the encoded request
 * @param capability permits the call
 * @param body the bytes to store, for the calls that have them
 * @param repeatable whether the call may be sent again if its fate is unknown: it changes nothing
 */
@SuppressWarnings("ArrayRecordComponent") // made for one call, and sent by one connection
public record RelayRequest(
    byte[] message, String capability, Optional<IncomingBody> body, boolean repeatable) {
  public RelayRequest {
    requireNonNull(message, "message is null");
    requireNonNull(capability, "capability is null");
    requireNonNull(body, "body is null");
    if (repeatable && body.isPresent()) {
      throw new IllegalArgumentException("a body flows once, so its call cannot be repeated");
    }
  }
}
