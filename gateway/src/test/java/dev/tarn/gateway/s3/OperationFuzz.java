package dev.tarn.gateway.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.control.User;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.fixtures.MemoryControlPlane;
import dev.tarn.gateway.auth.Authentication;
import dev.tarn.gateway.auth.PayloadPlan;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.fuzz.FuzzInput;
import dev.tarn.gateway.fuzz.ParserFuzz;
import dev.tarn.gateway.fuzz.WireRequest;
import dev.tarn.gateway.http.AnswerDocuments;
import dev.tarn.gateway.http.GatewayLimits;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.policy.Caller;
import dev.tarn.gateway.policy.Policies;
import dev.tarn.gateway.request.Addressing;
import dev.tarn.gateway.request.Headers;
import dev.tarn.gateway.request.RequestHead;
import dev.tarn.gateway.request.RequestTarget;
import dev.tarn.gateway.route.GatewayView;
import dev.tarn.gateway.route.ReadTickets;
import dev.tarn.gateway.s3.object.ReadParameters;
import dev.tarn.gateway.s3.object.WriteParameters;
import dev.tarn.gateway.s3.operation.BucketAccess;
import dev.tarn.gateway.s3.operation.Operation;
import dev.tarn.gateway.s3.operation.S3Operation;
import dev.tarn.gateway.s3.operation.S3Request;
import dev.tarn.gateway.s3.operation.S3Settings;
import dev.tarn.gateway.xml.MalformedXmlException;
import dev.tarn.gateway.xml.XmlReader;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Whole requests, signed by whom it may concern, up to the call of the target, which never fails:
 * what is refused is refused for what the request says. Answers are documents that can be read.
 */
public abstract class OperationFuzz extends ParserFuzz {
  private static final User USER = new User("u-1", "example", false);

  private final ControlState state = state();
  private final Map<S3Operation, Operation> operations;

  public OperationFuzz(String... requests) {
    super(texts(requests), Set.of(S3Exception.class));
    S3Settings settings =
        new S3Settings("us-east-1", List.of(), BucketSettings.PRIMARY, GatewayLimits.DEFAULT);
    Bucket bucket = Objects.requireNonNull(state.bucket("bucket"));
    operations =
        OperationRegistry.create(
            settings,
            new GatewayView(new Unchanging(state)),
            new OpenHandedTarget(bucket),
            ReadTickets.NONE);
  }

  private static ControlState state() {
    MemoryControlPlane control = new MemoryControlPlane();
    control.submit(new Command.CreateUser(1, USER));
    control.submit(new Command.CreateBucket(1, "bucket", USER.id(), BucketSettings.PRIMARY));
    return control.state();
  }

  @Override
  protected void parse(FuzzInput input) throws MalformedXmlException {
    WireRequest wire = WireRequest.of(input);
    RequestHead head = wire.head(Instant.EPOCH);
    RequestTarget target = Addressing.PATH_STYLE.resolve(head);
    S3Operation operation = OperationResolver.resolve(head, target);
    S3Request request = request(head, target, operation);
    switch (requireNonNull(operations.get(operation))) {
      case Operation.Blocking blocking -> check(request, blocking.answer(request, wire.body()));
      case Operation.Direct ignored -> readHeaders(request);
    }
  }

  /** What a read or a write takes from its head before it turns to the body. */
  private static void readHeaders(S3Request request) {
    Headers headers = request.head().headers();
    if (request.operation().method().equals("PUT")) {
      WriteParameters.attributes(headers, request.bucket());
      WriteParameters.preconditions(headers);
    } else {
      ReadParameters.selection(request);
      ReadParameters.overrides(request);
      ReadParameters.preconditions(headers, ReadParameters.Conditions.OF_READ);
    }
  }

  private S3Request request(RequestHead head, RequestTarget target, S3Operation operation) {
    String name =
        switch (target) {
          case RequestTarget.Service ignored -> "";
          case RequestTarget.OfBucket bucket -> bucket.bucket();
          case RequestTarget.OfObject object -> object.bucket();
        };
    Bucket bucket = state.bucket(name);
    if (bucket == null && !name.isEmpty() && operation != S3Operation.CREATE_BUCKET) {
      throw S3Exception.of(S3ErrorCode.NO_SUCH_BUCKET);
    }
    return withoutExchange(head, operation, target, bucket);
  }

  /** Operations look at the exchange for bodies and slow answers alone. */
  @SuppressWarnings("NullAway")
  private static S3Request withoutExchange(
      RequestHead head, S3Operation operation, RequestTarget target, @Nullable Bucket bucket) {
    Authentication signed =
        new Authentication.Authenticated(
            USER, "KEY", Authentication.Scheme.V4_HEADER, new PayloadPlan.Unsigned());
    BucketAccess access =
        bucket == null
            ? null
            : new BucketAccess(
                new Policies(),
                new Caller(
                    USER,
                    () -> "127.0.0.1",
                    Headers.NONE,
                    false,
                    null,
                    operation.copies(),
                    operation.isOfUpload()),
                bucket);
    return new S3Request(
        null,
        head,
        operation,
        target,
        signed,
        access,
        BucketAccess.Decision.ALLOWED,
        CallContext.UNNAMED);
  }

  private static void check(S3Request request, Response answer) throws MalformedXmlException {
    assertThat(answer.status()).isLessThan(300);
    byte[] document = AnswerDocuments.of(answer).orElse(null);
    // XML has no control characters; what has them is as S3 sends it, if the client wants it so.
    if (document != null && !new String(document, UTF_8).contains("&#x")) {
      XmlReader.read(document);
    } else if (document != null && request.operation() == S3Operation.LIST_OBJECTS_V2) {
      assertThat(request.query("encoding-type", "")).isNotEqualToIgnoringCase("url");
    }
  }

  /** A control plane that says yes to everything and does nothing. */
  private record Unchanging(ControlState state) implements ControlPlane {
    @Override
    public CompletionStage<Boolean> refresh() {
      return CompletableFuture.completedFuture(true);
    }

    @Override
    public CompletionStage<CommandOutcome> submit(Command command) {
      return CompletableFuture.completedFuture(new CommandOutcome.Applied(1));
    }

    @Override
    public Watch watch(Consumer<ControlState> listener) {
      return () -> {};
    }
  }
}
