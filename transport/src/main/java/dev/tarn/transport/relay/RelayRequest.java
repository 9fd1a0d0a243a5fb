package dev.tarn.transport.relay;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.target.Deadline;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.wire.HttpBinding;
import dev.tarn.cluster.wire.RequestCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A call to send.
 *
 * @param request is encoded when it is sent, because a message carries the time that remains
 * @param capability issues what permits the call, when it is sent
 * @param body the bytes to store, if the call has a body
 */
public record RelayRequest(
    TargetRequest<?> request, Supplier<String> capability, Optional<IncomingBody> body) {
  public RelayRequest {
    requireNonNull(request, "request is null");
    requireNonNull(capability, "capability is null");
    requireNonNull(body, "body is null");
    if (request.readsOnly() && body.isPresent()) {
      throw new IllegalArgumentException("a body flows once, so its call cannot be repeated");
    }
  }

  /** The head of the HTTP request to a target, and the encoded request. */
  ByteBuf rendered(TargetAddress to) {
    byte[] encoded = RequestCodec.encode(request);
    StringBuilder text = new StringBuilder(256);
    text.append("POST " + HttpBinding.CALL_PATH + " HTTP/1.1\r\nhost: ")
        .append(to)
        .append("\r\n" + HttpBinding.LENGTH_HEADER + ": ")
        .append(encoded.length)
        .append("\r\n" + HttpBinding.CAPABILITY_HEADER + ": ")
        .append(capability.get());
    long bodyLength = body.map(IncomingBody::length).orElse(IncomingBody.UNKNOWN_LENGTH);
    if (bodyLength >= 0) {
      text.append("\r\n" + HttpBinding.BODY_LENGTH_HEADER + ": ").append(bodyLength);
    }
    boolean chunked = body.isPresent();
    if (chunked) {
      text.append("\r\ntransfer-encoding: chunked\r\n\r\n");
      text.append(Integer.toHexString(encoded.length)).append("\r\n");
    } else {
      text.append("\r\ncontent-length: ").append(encoded.length).append("\r\n\r\n");
    }
    ByteBuf out = PooledByteBufAllocator.DEFAULT.directBuffer(text.length() + encoded.length + 2);
    out.writeCharSequence(text, US_ASCII);
    out.writeBytes(encoded);
    if (chunked) {
      out.writeCharSequence("\r\n", US_ASCII);
    }
    return out;
  }

  /** Whether the call changes nothing and may be sent again if its outcome is unknown. */
  boolean repeatable() {
    return request.readsOnly();
  }

  /** Whether the call waits for a target that is away or silent. */
  boolean waitsForTarget() {
    return request.scope().answerer().waits();
  }

  /** The same request with a new deadline, because its own time was spent by a slow sender. */
  RelayRequest until(Deadline deadline) {
    return new RelayRequest(request.at(request.scope().since(), deadline), capability, body);
  }

  /** Until when a target must begin the call. */
  Deadline deadline() {
    return request.scope().deadline();
  }
}
