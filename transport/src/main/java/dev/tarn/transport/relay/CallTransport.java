package dev.tarn.transport.relay;

import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.OutgoingBody;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Carries encoded calls to targets. It knows bytes and connections, not operations, so that another
 * data path can take its place.
 */
public interface CallTransport {
  /**
   * Sends a call and gives its answer; {@link dev.tarn.cluster.target.Failure.Unavailable} where
   * none came.
   */
  CompletionStage<Outcome<Reply>> call(TargetAddress address, Call call);

  /**
   * An encoded call.
   *
   * @param message the encoded request
   * @param body the bytes to be stored, for the calls that have them
   * @param repeatable whether it may be sent again where nothing tells if it has been received
   */
  @SuppressWarnings("ArrayRecordComponent") // made for one call, and read by one transport
  record Call(byte[] message, String capability, Optional<IncomingBody> body, boolean repeatable) {}

  /**
   * An encoded answer.
   *
   * @param message the encoded outcome
   * @param body the bytes behind it, of length zero where there are none; the receiver closes it
   */
  @SuppressWarnings("ArrayRecordComponent") // made for one call, and read by one caller
  record Reply(byte[] message, OutgoingBody body) {}
}
