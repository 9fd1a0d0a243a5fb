package dev.tarn.transport.relay;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.target.IncomingBody;
import java.util.List;
import java.util.Optional;

/**
 * What is posted to a target.
 *
 * @param headers names and values in turn, in ASCII
 * @param message what the request's body begins with
 * @param body what follows in frames, if anything does
 * @param repeatable whether it may be sent again where nothing tells if it has been received: it
 *     changes nothing
 */
@SuppressWarnings("ArrayRecordComponent") // made for one call, and sent by one connection
public record HopRequest(
    String path,
    List<String> headers,
    byte[] message,
    Optional<IncomingBody> body,
    boolean repeatable) {
  public HopRequest {
    requireNonNull(path, "path is null");
    headers = List.copyOf(headers);
    requireNonNull(message, "message is null");
    requireNonNull(body, "body is null");
    if (repeatable && body.isPresent()) {
      throw new IllegalArgumentException("a body flows once, so its call cannot be repeated");
    }
  }
}
