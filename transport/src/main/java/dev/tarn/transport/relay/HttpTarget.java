package dev.tarn.transport.relay;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.capability.Grant;
import dev.tarn.cluster.codec.VersionRange;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.target.Answerer;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.wire.OutcomeCodec;
import dev.tarn.cluster.wire.WireException;
import dev.tarn.cluster.wire.WireVersions;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A target in another process; it behaves like a target in this process. */
public final class HttpTarget implements ObjectTarget {
  private final RelayClient client;
  private final TargetAddress address;
  private final Capabilities capabilities;
  private final Supplier<VersionRange> announced;
  private final VersionRange spoken;

  /**
   * Creates the target at this address.
   *
   * @param capabilities that the target accepts
   * @param announced the versions of the wire format that the target speaks, as it last announced
   * @param spoken the versions that this process speaks
   */
  public HttpTarget(
      RelayClient client,
      TargetAddress address,
      Capabilities capabilities,
      Supplier<VersionRange> announced,
      VersionRange spoken) {
    this.client = requireNonNull(client, "client is null");
    this.address = requireNonNull(address, "address is null");
    this.capabilities = requireNonNull(capabilities, "capabilities is null");
    this.announced = requireNonNull(announced, "announced is null");
    this.spoken = requireNonNull(spoken, "spoken is null");
  }

  @Override
  public <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body) {
    VersionRange ofTarget = announced.get();
    OptionalInt version = spoken.newestShared(ofTarget);
    if (version.isEmpty()) {
      String problem = spoken.mismatch("wire", client.nameOf(address), ofTarget);
      return completedFuture(
          Outcome.failed(new Failure.Unavailable("Call failed: " + problem + ".")));
    }
    if (request.scope().answerer() == Answerer.STAND_IN
        && version.orElseThrow() < WireVersions.STAND_INS) {
      return completedFuture(
          Outcome.failed(
              new Failure.Unavailable(
                  "Call failed: "
                      + client.nameOf(address)
                      + " cannot stand in for another one; update it.")));
    }
    RelayRequest call =
        new RelayRequest(
            request,
            version.orElseThrow(),
            () -> capabilities.issueForCall(Grant.of(request)),
            request.hasBody() ? Optional.of(body) : Optional.empty());
    CompletionStage<Outcome<RelayReply>> replied = client.call(address, call);
    return request instanceof Get get
        ? get.answer(request, replied.thenApply(outcome -> outcome.then(reply -> read(get, reply))))
        : replied.thenApply(
            outcome -> outcome.then(reply -> message(OutcomeCodec.of(request), reply)));
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
      return codec.decode(reply.message(), spoken);
    } catch (WireException malformed) {
      return Outcome.failed(
          unavailable("gave an answer that cannot be read: " + malformed.getMessage()));
    }
  }

  private Failure unavailable(String problem) {
    return ConnectionFailures.unavailable(client.nameOf(address), problem);
  }
}
