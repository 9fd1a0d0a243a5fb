package dev.tarn.gateway.s3;

import static java.util.Objects.requireNonNull;

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
import dev.tarn.gateway.view.GatewayView;
import dev.tarn.transport.connection.DecodingFailures;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
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
    long version = view.state().version();
    try {
      serve(admit(exchange));
    } catch (RuntimeException e) {
      if (GatewayView.lacksName(e)) {
        askAndHandleAgain(exchange, e, version);
      } else {
        exchange.respond(ErrorResponses.of(exchange, e));
      }
    }
  }

  private void serve(S3Request request) {
    Operation operation = requireNonNull(operations.get(request.operation()));
    if (request.decision() == Decision.BY_OBJECT_TAGS && !operation.judgesObject()) {
      judgeAndServe(request, operation);
    } else {
      serve(request, operation);
    }
  }

  /**
   * Looks at the object before the operation begins. Nothing of the request's body has been read.
   */
  private void judgeAndServe(S3Request request, Operation operation) {
    Exchange exchange = request.exchange();
    reads
        .head(request)
        .whenComplete((outcome, failure) ->
            exchange.onLoop(() -> {
              try {
                if (failure != null) {
                  exchange.respond(ErrorResponses.of(request, failure));
                } else if (outcome instanceof Outcome.Failed<?>(Failure cause)
                    && cause.category() != Failure.Category.CALLER) {
                  exchange.respond(Outcomes.refuse(request, outcome));
                } else {
                  serve(request, operation);
                }
              } catch (RuntimeException e) {
                exchange.respond(ErrorResponses.of(exchange, e));
              }
            }));
  }

  private void serve(S3Request request, Operation operation) {
    switch (operation) {
      case Operation.Direct direct -> respond(request, direct.answer(request));
      case Operation.Blocking blocking -> runBlocking(request, blocking);
    }
  }

  /**
   * Refreshes the view and handles the request again. Nothing of the request's body has been read,
   * so the request can start again.
   */
  private void askAndHandleAgain(Exchange exchange, RuntimeException refusal, long version) {
    if (asking.incrementAndGet() > ASKING_MAX) {
      asking.decrementAndGet();
      exchange.respond(ErrorResponses.of(exchange, S3Error.of(S3ErrorCode.SLOW_DOWN)));
      return;
    }
    view.askBeyond(version)
        .whenComplete((newer, failure) -> {
          asking.decrementAndGet();
          exchange.onLoop(() -> {
            if (failure != null) {
              exchange.respond(ErrorResponses.of(exchange, failure));
            } else if (newer) {
              handleAgain(exchange);
            } else {
              exchange.respond(ErrorResponses.of(exchange, refusal));
            }
          });
        });
  }

  private void handleAgain(Exchange exchange) {
    try {
      serve(admit(exchange));
    } catch (RuntimeException e) {
      exchange.respond(ErrorResponses.of(exchange, e));
    }
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
            user, exchange::clientAddress, judged, operation.copies(), operation.isOfUpload());
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

  private void runBlocking(S3Request request, Operation.Blocking operation) {
    Exchange exchange = request.exchange();
    if (exchange.body() == null || !request.operation().mayHaveDocument()) {
      startBlocking(request, operation, new byte[0], 0);
      return;
    }
    DecodedBody body = RequestBodies.ofDocument(request, settings);
    int reserved = documentMemory.reserve(request.header("content-length"));
    Documents.gather(body, settings.limits().documentBytesMax())
        .whenComplete((document, failure) -> {
          if (failure == null) {
            startBlocking(request, operation, document, reserved);
          } else {
            documentMemory.release(reserved);
            exchange.respond(ErrorResponses.of(exchange, failure));
          }
        });
  }

  private void startBlocking(
      S3Request request, Operation.Blocking operation, byte[] document, int reserved) {
    Exchange exchange = request.exchange();
    Thread.ofVirtual()
        .name("s3-" + exchange.requestId())
        .start(() -> {
          Response answer;
          try {
            answer = operation.answer(request, document);
          } catch (RuntimeException e) {
            answer = ErrorResponses.of(request, e);
          } finally {
            // Releases the memory before the answer, because the client may send its next document
            // immediately.
            documentMemory.release(reserved);
          }
          exchange.respond(answer);
        });
  }

  private static void respond(S3Request request, CompletionStage<Response> answer) {
    answer.whenComplete((response, failure) ->
        request
            .exchange()
            .respond(failure == null ? response : ErrorResponses.of(request, failure)));
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
