package dev.tarn.gateway.admin;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.User;
import dev.tarn.gateway.console.ConsolePage;
import dev.tarn.gateway.route.GatewayView;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The paths of the admin listener. Probes, metrics, the API's description and the console's files
 * are answered on the event loop and need no signature. The API runs on virtual threads, because
 * its commands wait for the control log.
 */
final class AdminRoutes {
  private static final Logger LOG = LoggerFactory.getLogger(AdminRoutes.class);
  private static final String API = "/api/v1";
  private static final String USER = "user";

  private final AdminParts parts;
  private final AdminAccess access;
  private final Buffer description = description();
  private final Router router;
  private final int bodyBytesMax;
  private final Optional<ConsolePage> console;
  private final OtherGateways otherGateways;

  AdminRoutes(Vertx vertx, AdminConfig config, AdminParts parts) {
    this.parts = requireNonNull(parts, "parts is null");
    this.access =
        new AdminAccess(
            parts.authenticator(),
            new GatewayView(parts.control()),
            parts.clock(),
            config.eventsTokenFile());
    this.router = Router.router(vertx);
    this.bodyBytesMax = config.bodyBytesMax();
    this.console =
        config.console() ? Optional.of(new ConsolePage(vertx, parts.s3())) : Optional.empty();
    this.otherGateways = new OtherGateways(vertx, config.gateways());
    router.route(API + "/*").handler(BodyHandler.create(false).setBodyLimit(config.bodyBytesMax()));
  }

  /** Registers all paths and returns their router. */
  Router router() {
    router.get("/healthz").handler(context -> probe(context, true));
    router.get("/readyz").handler(context -> probe(context, parts.ready().getAsBoolean()));
    router.get("/metrics").handler(this::metrics);
    router.get("/openapi.json").handler(context -> sendJson(context, 200, description));
    console.ifPresent(page -> page.register(router));
    explain(400, "the request is malformed; its path must be properly percent-encoded");
    explain(404, "no such path; see /openapi.json for all paths");
    explain(405, "this path does not accept this method; see /openapi.json");
    explain(413, "the document is too long: the limit is " + bodyBytesMax + " bytes");

    Commands commands = new Commands(parts.control(), parts.clock());
    BucketResource buckets =
        new BucketResource(
            commands, parts.deletion(), parts.eviction(), parts.bucketDefaults(), parts.status());
    api(HttpMethod.GET, "/buckets", buckets::list);
    api(HttpMethod.POST, "/buckets", buckets::create);
    api(HttpMethod.GET, "/buckets/:name", buckets::show);
    api(HttpMethod.PATCH, "/buckets/:name", buckets::set);
    api(HttpMethod.DELETE, "/buckets/:name", buckets::delete);
    api(HttpMethod.POST, "/buckets/:name/evict", buckets::evict);
    api(HttpMethod.GET, "/buckets/:name/usage", buckets::usage);

    EventResource events = new EventResource(commands, parts.eviction());
    route(HttpMethod.POST, "/events/s3", access::authenticateEvents, events::take);

    UserResource users = new UserResource(commands, parts.identities());
    api(HttpMethod.GET, "/users", users::list);
    api(HttpMethod.POST, "/users", users::create);
    api(HttpMethod.DELETE, "/users/:name", users::delete);

    KeyResource keys = new KeyResource(commands, parts.identities());
    api(HttpMethod.GET, "/keys", keys::list);
    api(HttpMethod.POST, "/keys", keys::create);
    api(HttpMethod.PATCH, "/keys/:name", keys::set);
    api(HttpMethod.DELETE, "/keys/:name", keys::delete);

    ScrubResource scrub = new ScrubResource(parts.scrubbing());
    api(HttpMethod.GET, "/scrub", scrub::report);
    api(HttpMethod.POST, "/scrub", scrub::start);

    ClusterResource cluster = new ClusterResource(commands, parts.status());
    api(HttpMethod.GET, "/cluster", cluster::show);
    api(HttpMethod.POST, "/cluster/members", cluster::setMembers);
    api(HttpMethod.POST, "/cluster/restored", cluster::restored);
    api(HttpMethod.GET, "/cluster/targets/:name", cluster::showTarget);
    api(HttpMethod.DELETE, "/cluster/targets/:name", cluster::forget);
    api(HttpMethod.POST, "/cluster/targets/:name/add", cluster::add);
    api(HttpMethod.POST, "/cluster/targets/:name/out", cluster::takeOut);
    api(HttpMethod.POST, "/cluster/targets/:name/in", cluster::takeIn);
    api(HttpMethod.POST, "/cluster/targets/:name/remove", cluster::remove);

    ProfileResource profile = new ProfileResource(commands, parts.profile(), otherGateways);
    api(HttpMethod.GET, "/profile", profile::show);
    api(HttpMethod.GET, "/profile/:name", profile::showBucket);

    StatusResource status =
        new StatusResource(commands, parts.version(), commands.nowMs(), parts.status());
    api(HttpMethod.GET, "/status", status::show);
    return router;
  }

  /**
   * Sets the answer for errors outside the operations, in the same form as the operations' errors.
   */
  private void explain(int status, String message) {
    router.errorHandler(
        status, context -> send(context, AdminProblem.ofRouter(status, message).answer()));
  }

  private static void probe(RoutingContext context, boolean good) {
    context
        .response()
        .setStatusCode(good ? 200 : 503)
        .putHeader("content-type", "text/plain")
        .end(good ? "ok\n" : "not ready\n");
  }

  private void metrics(RoutingContext context) {
    context
        .response()
        .putHeader("content-type", "text/plain; version=0.0.4; charset=utf-8")
        .end(parts.metrics().get());
  }

  private void api(HttpMethod method, String path, Function<AdminCall, AdminAnswer> operation) {
    route(method, path, access::authenticate, operation);
  }

  private void route(
      HttpMethod method,
      String path,
      BiFunction<HttpServerRequest, Buffer, User> admission,
      Function<AdminCall, AdminAnswer> operation) {
    router
        .route(method, API + path)
        .handler(context -> Thread.ofVirtual().start(() -> authenticate(context, admission)))
        .handler(context -> answer(context, operation))
        .failureHandler(AdminRoutes::failed);
  }

  private static void authenticate(
      RoutingContext context, BiFunction<HttpServerRequest, Buffer, User> admission) {
    try {
      context.put(USER, admission.apply(context.request(), body(context)));
    } catch (RuntimeException e) {
      context.fail(e);
      return;
    }
    context.next();
  }

  private static void answer(RoutingContext context, Function<AdminCall, AdminAnswer> operation) {
    User user = requireNonNull(context.get(USER), "the request is not authenticated");
    String name = Optional.ofNullable(context.pathParam("name")).orElse("");
    Fields fields = new Fields(document(body(context)));
    send(context, operation.apply(new AdminCall(user, name, fields, context.request())));
    LOG.debug("{} {} by {}", context.request().method(), context.request().path(), user.name());
  }

  private static void failed(RoutingContext context) {
    if (context.failure() instanceof AdminProblem problem) {
      send(context, problem.answer());
    } else if (context.statusCode() == 500) {
      LOG.error(
          "{} {} failed", context.request().method(), context.request().path(), context.failure());
      send(context, AdminProblem.bug().answer());
    } else {
      context.next();
    }
  }

  private static Buffer body(RoutingContext context) {
    return Optional.ofNullable(context.body().buffer()).orElseGet(Buffer::buffer);
  }

  private static JsonObject document(Buffer body) {
    if (body.length() == 0) {
      return new JsonObject();
    }
    try {
      return new JsonObject(body);
    } catch (DecodeException | ClassCastException e) {
      throw AdminProblem.wrongRequest("the body must be a JSON object");
    }
  }

  private static void send(RoutingContext context, AdminAnswer answer) {
    sendJson(context, answer.status(), answer.document().toBuffer());
  }

  private static void sendJson(RoutingContext context, int status, Buffer document) {
    context
        .response()
        .setStatusCode(status)
        .putHeader("content-type", "application/json")
        .end(document);
  }

  /** The API's OpenAPI document. A test compares it with the routes and their fields. */
  private static Buffer description() {
    try (InputStream file = AdminRoutes.class.getResourceAsStream("openapi.json")) {
      requireNonNull(file, "openapi.json is not in the jar");
      JsonObject description = new JsonObject(Buffer.buffer(file.readAllBytes()));
      JsonObject schemas = description.getJsonObject("components").getJsonObject("schemas");
      for (String name : List.of("BucketSettings", "BucketSettingsChange")) {
        SettingsJson.describe(schemas.getJsonObject(name).getJsonObject("properties"));
      }
      return description.toBuffer();
    } catch (IOException e) {
      throw new UncheckedIOException("openapi.json cannot be read from the jar", e);
    }
  }
}
