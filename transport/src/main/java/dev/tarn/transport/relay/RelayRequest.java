package dev.tarn.transport.relay;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.target.IncomingBody;
import java.util.Optional;

/**
 * An encoded call.
 *
 * @param message the encoded request
 * @param capability permits the call
 * @param body the bytes to store, if the call has a body
 * @param repeatable whether the call changes nothing and may be sent again if its outcome is
 *     unknown
 */
@SuppressWarnings(
    "ArrayRecordComponent") // The array is filled for one call, and one connection sends it.
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
