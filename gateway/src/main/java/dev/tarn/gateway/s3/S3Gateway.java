package dev.tarn.gateway.s3;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.failedStage;
import static java.util.concurrent.CompletableFuture.supplyAsync;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.User;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TrafficClass;
import dev.tarn.gateway.accesslog.AccessLog;
import dev.tarn.gateway.auth.Authentication;
import dev.tarn.gateway.auth.Authenticator;
import dev.tarn.gateway.auth.Credential;
import dev.tarn.gateway.auth.PayloadPlan;
import dev.tarn.gateway.auth.PresignedHeaders;
import dev.tarn.gateway.auth.SignatureAuthenticator;
import dev.tarn.gateway.error.S3Error;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.Exchange;
import dev.tarn.gateway.http.ExchangeHandler;
import dev.tarn.gateway.http.ListenerRefusal;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.metrics.RequestMetrics;
import dev.tarn.gateway.policy.Caller;
import dev.tarn.gateway.policy.Policies;
import dev.tarn.gateway.request.Addressing;
import dev.tarn.gateway.request.Headers;
import dev.tarn.gateway.request.RequestHead;
import dev.tarn.gateway.request.RequestTarget;
import dev.tarn.gateway.route.GatewayView;
import dev.tarn.gateway.route.ReadTickets;
import dev.tarn.gateway.s3.bucket.BucketCors;
import dev.tarn.gateway.s3.bucket.BucketDeletion;
import dev.tarn.gateway.s3.object.PermittedReads;
import dev.tarn.gateway.s3.operation.Authorization;
import dev.tarn.gateway.s3.operation.BucketAccess;
import dev.tarn.gateway.s3.operation.BucketAccess.Decision;
import dev.tarn.gateway.s3.operation.DecodedBody;
import dev.tarn.gateway.s3.operation.Documents;
import dev.tarn.gateway.s3.operation.ErrorResponses;
import dev.tarn.gateway.s3.operation.Operation;
import dev.tarn.gateway.s3.operation.Outcomes;
import dev.tarn.gateway.s3.operation.RequestBodies;
import dev.tarn.gateway.s3.operation.S3Operation;
import dev.tarn.gateway.s3.operation.S3Request;
import dev.tarn.gateway.s3.operation.S3Settings;
import dev.tarn.transport.connection.DecodingFailures;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Answers S3 requests: resolve, authenticate, authorize, operate, respond. */
public final class S3Gateway implements ExchangeHandler {
  /**
   * How many requests may wait for the control plane at the same time. Requests from unknown
   * callers must leave capacity for others.
   */
  private static final int ASKING_MAX = 256;

  private final S3Settings settings;
  private final GatewayView view;
  private final AtomicInteger asking = new AtomicInteger();
  private final Addressing addressing;
  private final Authenticator authenticator;
  private final Map<S3Operation, Operation> operations;
  private final PermittedReads reads;
  private final DocumentMemory documentMemory;
  private final BucketDeletion deletion;
  private final Policies policies = new Policies();
  private final RequestMetrics metrics;
  private final @Nullable AccessLog accessLog;

  public S3Gateway(
      S3Settings settings,
      ControlPlane control,
      ObjectTarget target,
      ReadTickets tickets,
      RequestMetrics metrics,
      @Nullable AccessLog accessLog) {
    this.settings = requireNonNull(settings, "settings is null");
    this.view = new GatewayView(control);
    this.addressing = new Addressing(settings.domains());
    this.authenticator =
        new SignatureAuthenticator(id -> Credential.find(control.state(), id), addressing);
    this.deletion = new BucketDeletion(control, target, InstantSource.system());
    this.operations = OperationRegistry.create(settings, view, target, tickets);
    this.reads = new PermittedReads(target);
    this.documentMemory = new DocumentMemory(settings.limits().documentBytesMax());
    this.metrics = requireNonNull(metrics, "metrics is null");
    this.accessLog = accessLog;
  }

  @Override
  public void handle(Exchange exchange) {
    answer(exchange)
        .whenComplete((response, failure) ->
            exchange.respond(failure == null ? response : ErrorResponses.of(exchange, failure)));
  }

  /** The stage fails if the request is refused. */
  private CompletionStage<Response> answer(Exchange exchange) {
    long version = view.state().version();
    try {
      return serve(admit(exchange));
    } catch (RuntimeException e) {
      return GatewayView.lacksName(e) ? askAndServe(exchange, e, version) : failedStage(e);
    }
  }

  /**
   * Refreshes the view and serves the request again. Nothing of the request's body has been read,
   * so the request can start again.
   */
  private CompletionStage<Response> askAndServe(
      Exchange exchange, RuntimeException refusal, long version) {
    if (asking.incrementAndGet() > ASKING_MAX) {
      asking.decrementAndGet();
      return failedStage(S3Exception.of(S3ErrorCode.SLOW_DOWN));
    }
    return view.askBeyond(version)
        .whenComplete((newer, failure) -> asking.decrementAndGet())
        .thenComposeAsync(
            newer -> {
              if (newer) {
                return serve(admit(exchange));
              }
              throw refusal;
            },
            exchange::onLoop);
  }

  private CompletionStage<Response> serve(S3Request request) {
    Operation operation = requireNonNull(operations.get(request.operation()));
    CompletionStage<Response> answer =
        request.decision() == Decision.BY_OBJECT_TAGS && !operation.judgesObject()
            ? judgeAndRun(request, operation)
            : run(request, operation);
    return answer.exceptionally(failure -> {
      throw new CompletionException(Outcomes.concealed(request, failure));
    });
  }

  /**
   * Looks at the object before the operation begins. Nothing of the request's body has been read.
   */
  private CompletionStage<Response> judgeAndRun(S3Request request, Operation operation) {
    return reads
        .head(request)
        .thenComposeAsync(
            outcome -> {
              if (outcome instanceof Outcome.Failed<?>(Failure cause)
                  && cause.category() != Failure.Category.CALLER) {
                throw Outcomes.error(request, cause);
              }
              return run(request, operation);
            },
            request.exchange()::onLoop);
  }

  private CompletionStage<Response> run(S3Request request, Operation operation) {
    return switch (operation) {
      case Operation.Direct direct -> direct.answer(request);
      case Operation.Blocking blocking -> runBlocking(request, blocking);
    };
  }

  private S3Request admit(Exchange exchange) {
    RequestHead sent = RequestHead.of(exchange.request(), Instant.now());
    RequestHead head = sent.query().isEmpty() ? sent : PresignedHeaders.apply(sent);
    RequestTarget target = addressing.resolve(head);
    String bucketName = bucketName(target);
    exchange
        .record()
        .resource(
            bucketName,
            target instanceof RequestTarget.OfObject object ? object.key().text() : null);
    Bucket bucket = bucketName == null ? null : view.state().bucket(bucketName);
    if (bucket != null && bucket.deletion().isPresent()) {
      deletion.keepIfAbandoned(bucket);
    }
    if (bucket != null && !bucket.configuration().cors().isEmpty()) {
      BucketCors.announce(exchange, head, bucket);
    }
    S3Operation operation = OperationResolver.resolve(head, target);
    exchange.record().operation(operation.wireName());
    // A preflight for a presigned URL has a signature that is valid only for another method.
    Authentication authentication =
        operation.isPreflight()
            ? new Authentication.Anonymous(new PayloadPlan.Unsigned())
            : authenticator.authenticate(sent);
    if (authentication instanceof Authentication.Authenticated signed) {
      exchange.record().accessKeyId(signed.accessKeyId());
    }
    String memoryRefusal = exchange.memoryRefusal();
    if (memoryRefusal != null) {
      throw S3Exception.of(S3ErrorCode.SLOW_DOWN, memoryRefusal);
    }
    Authorization.requireSigned(operation, authentication);
    if (bucket == null && bucketName != null && operation != S3Operation.CREATE_BUCKET) {
      throw S3Exception.of(S3ErrorCode.NO_SUCH_BUCKET).with("BucketName", bucketName);
    }
    User user =
        authentication instanceof Authentication.Authenticated signed ? signed.user() : null;
    // The tags of this operation are in its document, whatever a header says.
    Headers judged = operation == S3Operation.PUT_OBJECT_TAGGING ? Headers.NONE : head.headers();
    Caller caller =
        new Caller(
            user,
            exchange::clientAddress,
            judged,
            exchange.isEncrypted(),
            head.headers().first("referer"),
            operation.copies(),
            operation.isOfUpload());
    BucketAccess access = bucket == null ? null : new BucketAccess(policies, caller, bucket);
    Decision decision = Authorization.judge(operation, head, target, user != null, access);
    return new S3Request(
        exchange,
        head,
        operation,
        target,
        authentication,
        access,
        decision,
        context(exchange, head, user));
  }

  /** The context of all calls to targets for a request. A malformed traceparent is ignored. */
  private static CallContext context(Exchange exchange, RequestHead head, @Nullable User user) {
    return new CallContext(
        exchange.requestId(),
        user == null ? Optional.empty() : Optional.of(user.id()),
        TrafficClass.FOREGROUND,
        Optional.ofNullable(head.headers().first("traceparent"))
            .filter(CallContext::isTraceparent));
  }

  private static @Nullable String bucketName(RequestTarget target) {
    return switch (target) {
      case RequestTarget.Service ignored -> null;
      case RequestTarget.OfBucket bucket -> bucket.bucket();
      case RequestTarget.OfObject object -> object.bucket();
    };
  }

  private CompletionStage<Response> runBlocking(S3Request request, Operation.Blocking operation) {
    if (request.exchange().body() == null || !request.operation().mayHaveDocument()) {
      return supplyAsync(() -> operation.answer(request, new byte[0]), virtualThread(request));
    }
    DecodedBody body = RequestBodies.ofDocument(request, settings);
    int reserved = documentMemory.reserve(request.header("content-length"));
    // The memory is released before the answer, because the client may send its next document
    // immediately.
    return Documents.gather(body, settings.limits().documentBytesMax())
        .thenApplyAsync(document -> operation.answer(request, document), virtualThread(request))
        .whenComplete((answer, failure) -> documentMemory.release(reserved));
  }

  private static Executor virtualThread(S3Request request) {
    return task -> Thread.ofVirtual().name("s3-" + request.exchange().requestId()).start(task);
  }

  @Override
  public Response refusal(Exchange exchange, ListenerRefusal refusal) {
    return ErrorResponses.of(
        exchange,
        switch (refusal) {
          case TOO_MANY_CONNECTIONS -> S3Error.of(S3ErrorCode.SLOW_DOWN);
          case MALFORMED_HEAD ->
              S3Error.of(
                  S3ErrorCode.INVALID_REQUEST,
                  "The request's head is not valid HTTP/1.1: "
                      + DecodingFailures.reason(exchange.request()));
          case WRONG_HOST ->
              S3Error.of(
                  S3ErrorCode.INVALID_REQUEST,
                  "An HTTP/1.1 request must have one Host header, which names this server.");
          case TRANSFER_ENCODING ->
              S3Error.of(
                  S3ErrorCode.NOT_IMPLEMENTED,
                  "A request may have the Transfer-Encoding chunked, and no other.");
          case WEB_SOCKET ->
              S3Error.of(S3ErrorCode.NOT_IMPLEMENTED, "Web sockets are not implemented.");
          case HEAD_TOO_LONG -> S3Error.of(S3ErrorCode.REQUEST_HEADER_SECTION_TOO_LARGE);
          case BODY_TOO_LONG -> S3Error.of(S3ErrorCode.ENTITY_TOO_LARGE);
          case TOO_SLOW -> S3Error.of(S3ErrorCode.REQUEST_TIMEOUT);
        });
  }

  @Override
  public void finished(Exchange exchange) {
    metrics.count(exchange.record());
    AccessLog log = accessLog;
    if (log != null) {
      log.add(exchange);
    }
  }
}
