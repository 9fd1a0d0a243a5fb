package dev.tarn.gateway.route;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.capability.Grant;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.PartPage;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.Abort;
import dev.tarn.cluster.target.TargetRequest.Complete;
import dev.tarn.cluster.target.TargetRequest.Copy;
import dev.tarn.cluster.target.TargetRequest.CopyPart;
import dev.tarn.cluster.target.TargetRequest.CreateUpload;
import dev.tarn.cluster.target.TargetRequest.Delete;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.target.TargetRequest.Head;
import dev.tarn.cluster.target.TargetRequest.ListObjects;
import dev.tarn.cluster.target.TargetRequest.ListParts;
import dev.tarn.cluster.target.TargetRequest.ListUploads;
import dev.tarn.cluster.target.TargetRequest.ListVersions;
import dev.tarn.cluster.target.TargetRequest.Put;
import dev.tarn.cluster.target.TargetRequest.PutPart;
import dev.tarn.cluster.target.TargetRequest.SetAcl;
import dev.tarn.cluster.target.TargetRequest.SetTags;
import dev.tarn.cluster.target.UploadPage;
import dev.tarn.cluster.target.VersionPage;
import dev.tarn.cluster.wire.OutcomeCodec;
import dev.tarn.cluster.wire.RequestCodec;
import dev.tarn.cluster.wire.WireException;
import dev.tarn.transport.relay.RelayClient;
import dev.tarn.transport.relay.RelayReply;
import dev.tarn.transport.relay.RelayRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A target in another process, which behaves as one in this process does. */
public final class HttpTarget implements ObjectTarget {
  private static final Duration CAPABILITY_LIFETIME = Duration.ofMinutes(1);

  private final RelayClient client;
  private final TargetAddress address;
  private final Capabilities capabilities;

  /** The target at this address, which believes these capabilities. */
  public HttpTarget(RelayClient client, TargetAddress address, Capabilities capabilities) {
    this.client = requireNonNull(client, "client is null");
    this.address = requireNonNull(address, "address is null");
    this.capabilities = requireNonNull(capabilities, "capabilities is null");
  }

  @Override
  public CompletionStage<Outcome<ObjectRead>> get(Get request) {
    return send(request, Optional.empty())
        .thenApply(outcome -> outcome.then(reply -> read(request, reply)));
  }

  @Override
  public CompletionStage<Outcome<ObjectHead>> head(Head request) {
    return call(request, OutcomeCodec.HEAD);
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> put(Put request, IncomingBody body) {
    return call(request, Optional.of(body), OutcomeCodec.METADATA);
  }

  @Override
  public CompletionStage<Outcome<Deleted>> delete(Delete request) {
    return call(request, OutcomeCodec.DELETED);
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> copy(Copy request) {
    return call(request, OutcomeCodec.METADATA);
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> setTags(SetTags request) {
    return call(request, OutcomeCodec.METADATA);
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> setAcl(SetAcl request) {
    return call(request, OutcomeCodec.METADATA);
  }

  @Override
  public CompletionStage<Outcome<ListPage>> listObjects(ListObjects request) {
    return call(request, OutcomeCodec.LIST_PAGE);
  }

  @Override
  public CompletionStage<Outcome<VersionPage>> listVersions(ListVersions request) {
    return call(request, OutcomeCodec.VERSION_PAGE);
  }

  @Override
  public CompletionStage<Outcome<String>> createUpload(CreateUpload request) {
    return call(request, OutcomeCodec.UPLOAD_ID);
  }

  @Override
  public CompletionStage<Outcome<ObjectPart>> putPart(PutPart request, IncomingBody body) {
    return call(request, Optional.of(body), OutcomeCodec.PART);
  }

  @Override
  public CompletionStage<Outcome<ObjectPart>> copyPart(CopyPart request) {
    return call(request, OutcomeCodec.PART);
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> complete(Complete request) {
    return call(request, OutcomeCodec.METADATA);
  }

  @Override
  public CompletionStage<Outcome<Aborted>> abort(Abort request) {
    return call(request, OutcomeCodec.ABORTED);
  }

  @Override
  public CompletionStage<Outcome<PartPage>> listParts(ListParts request) {
    return call(request, OutcomeCodec.PART_PAGE);
  }

  @Override
  public CompletionStage<Outcome<UploadPage>> listUploads(ListUploads request) {
    return call(request, OutcomeCodec.UPLOAD_PAGE);
  }

  private <T> CompletionStage<Outcome<T>> call(TargetRequest request, OutcomeCodec<T> codec) {
    return call(request, Optional.empty(), codec);
  }

  private <T> CompletionStage<Outcome<T>> call(
      TargetRequest request, Optional<IncomingBody> body, OutcomeCodec<T> codec) {
    return send(request, body)
        .thenApply(outcome ->
            outcome.then(reply -> {
              reply.body().close();
              return decode(codec, reply);
            }));
  }

  private CompletionStage<Outcome<RelayReply>> send(
      TargetRequest request, Optional<IncomingBody> body) {
    String capability = capabilities.issue(Grant.of(request), CAPABILITY_LIFETIME);
    return client.call(
        address,
        new RelayRequest(RequestCodec.encode(request), capability, body, onlyReads(request)));
  }

  private static boolean onlyReads(TargetRequest request) {
    return switch (request) {
      case Get read -> true;
      case Head read -> true;
      case ListObjects read -> true;
      case ListParts read -> true;
      case ListUploads read -> true;
      default -> false;
    };
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
    return new Failure.Unavailable("The target at " + address + " " + problem + ".");
  }
}
