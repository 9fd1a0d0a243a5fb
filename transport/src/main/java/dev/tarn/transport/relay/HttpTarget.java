package dev.tarn.transport.relay;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.capability.Grant;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.SelectiveHandler;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.wire.OutcomeCodec;
import dev.tarn.cluster.wire.WireException;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A target in another process; it behaves like a target in this process. */
public final class HttpTarget implements ObjectTarget, SelectiveHandler<IncomingBody> {
  private final RelayClient client;
  private final TargetAddress address;
  private final Capabilities capabilities;

  /**
   * Creates the target at this address.
   *
   * @param capabilities that the target accepts
   */
  public HttpTarget(RelayClient client, TargetAddress address, Capabilities capabilities) {
    this.client = requireNonNull(client, "client is null");
    this.address = requireNonNull(address, "address is null");
    this.capabilities = requireNonNull(capabilities, "capabilities is null");
  }

  @Override
  public <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body) {
    return request.on(this, body);
  }

  /** Reads an object, whose bytes follow the outcome. */
  @Override
  public CompletionStage<Outcome<ObjectRead>> get(Get request, IncomingBody body) {
    return sent(request, body).thenApply(outcome -> outcome.then(reply -> read(request, reply)));
  }

  @Override
  public <R> CompletionStage<Outcome<R>> remaining(TargetRequest<R> request, IncomingBody body) {
    return sent(request, body)
        .thenApply(outcome -> outcome.then(reply -> message(OutcomeCodec.of(request), reply)));
  }

  private CompletionStage<Outcome<RelayReply>> sent(TargetRequest<?> request, IncomingBody body) {
    RelayRequest call =
        new RelayRequest(
            request,
            () -> capabilities.issueForCall(Grant.of(request)),
            request.hasBody() ? Optional.of(body) : Optional.empty());
    return client.call(address, call);
  }

  private <T> Outcome<T> message(OutcomeCodec<T> codec, RelayReply reply) {
    reply.body().close();
    return decode(codec, reply);
  }

  private Outcome<ObjectRead> read(Get request, RelayReply reply) {
    Outcome<ObjectRead> outcome =
        decode(OutcomeCodec.HEAD, reply)
            .then(head ->
                head.length() == reply.body().length()
                    ? Outcome.success(new ObjectRead(head, reply.body()))
                    : Outcome.failed(
                        unavailable(
                            "announced "
                                + head.length()
                                + " bytes of "
                                + request.name()
                                + " and gave "
                                + reply.body().length())));
    if (outcome instanceof Outcome.Failed) {
      reply.body().close();
    }
    return outcome;
  }

  private <T> Outcome<T> decode(OutcomeCodec<T> codec, RelayReply reply) {
    try {
      return codec.decode(reply.message());
    } catch (WireException malformed) {
      return Outcome.failed(
          unavailable("gave an answer that cannot be read: " + malformed.getMessage()));
    }
  }

  private Failure unavailable(String problem) {
    return ConnectionFailures.unavailable(client.nameOf(address), problem);
  }
}
