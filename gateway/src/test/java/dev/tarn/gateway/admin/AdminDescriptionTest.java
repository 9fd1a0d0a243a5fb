package dev.tarn.gateway.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.User;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.wire.TargetReport;
import dev.tarn.cluster.wire.TrafficHistory;
import dev.tarn.fixtures.MemoryControlPlane;
import dev.tarn.fixtures.target.memory.MemoryTarget;
import dev.tarn.gateway.auth.Authentication;
import dev.tarn.gateway.auth.Authentication.Scheme;
import dev.tarn.gateway.auth.PayloadPlan;
import dev.tarn.gateway.profile.ClusterProfile;
import dev.tarn.gateway.profile.IoProfile;
import dev.tarn.gateway.profile.TargetsTraffic;
import dev.tarn.gateway.s3.bucket.BucketDeletion;
import dev.tarn.gateway.s3.bucket.BucketEviction;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Route;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The admin API is as its OpenAPI document says. */
@Timeout(60)
class AdminDescriptionTest {
  private static final Pattern KNOWN_FIELDS = Pattern.compile("known are ([^\"]*)\"");
  private static final NodeStatus STATUS =
      new NodeStatus(
          "gateway",
          1,
          List.of(
              new NodeStatus.Target(
                  "t1",
                  "",
                  "up",
                  List.of(
                      new NodeStatus.Disk(
                          "d1",
                          "/data",
                          "in service",
                          10,
                          5,
                          new TargetReport.DiskUse(1, 2, 3, 4, 5, 6, 7),
                          List.of(new TargetReport.CachedBucket(new BucketId(1), 8)))),
                  Optional.of(new TargetReport.Stored(3, 4, List.of(), 5, 6, 7, 8)))));

  private final Vertx vertx = Vertx.vertx();
  private final HttpClient client = HttpClient.newHttpClient();
  private final MemoryControlPlane control = new MemoryControlPlane();
  private final AdminParts parts =
      new AdminParts(
          "test",
          head ->
              new Authentication.Authenticated(
                  new User("admin-id", "admin", true),
                  "key",
                  Scheme.V4_HEADER,
                  new PayloadPlan.Sha256(
                      requireNonNull(head.headers().first("x-amz-content-sha256")))),
          control,
          BucketSettings.PRIMARY,
          new BucketDeletion(control, new MemoryTarget(), InstantSource.system()),
          new BucketEviction(new MemoryTarget()),
          new FinishedScrub(),
          () -> STATUS,
          Optional::empty,
          new ClusterProfile(new IoProfile(InstantSource.system()), bucket -> cached()),
          () -> true,
          () -> "",
          new Identities(new SecureRandom()),
          InstantSource.system());
  private URI server;
  private JsonObject description;

  /** Reads of the last minutes, so that the profile has a part of the cache. */
  private static TargetsTraffic cached() {
    long minute = System.currentTimeMillis() / 60_000 * 60_000;
    TargetReport.Traffic traffic = new TargetReport.Traffic(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 60);
    List<TrafficHistory.Step> steps =
        List.of(
            new TrafficHistory.Step(minute - 60_000, traffic),
            new TrafficHistory.Step(minute, traffic));
    return new TargetsTraffic(new TrafficHistory(steps, List.of()), List.of("t2: it is away"));
  }

  private static final class FinishedScrub implements Scrubbing {
    @Override
    public void start() {}

    @Override
    public Optional<Report> report() {
      return Optional.of(new Report(false, 1, 2, 3, List.of("a"), 1, List.of("d2")));
    }
  }

  @BeforeEach
  void start() throws IOException, InterruptedException {
    AdminConfig config = AdminConfig.of(0, Optional.empty());
    int port =
        AdminServer.start(vertx, config, parts)
            .toCompletionStage()
            .toCompletableFuture()
            .join()
            .port();
    server = URI.create("http://127.0.0.1:" + port);
    description = new JsonObject(send("GET", "/openapi.json", "").body());
  }

  @AfterEach
  void stop() {
    client.close();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  private HttpResponse<String> send(String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(server.resolve(path))
            .method(method, BodyPublishers.ofString(body))
            .header("x-amz-content-sha256", sha256Hex(body))
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  private static String sha256Hex(String body) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(body.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private record Operation(String method, String path, JsonObject description) {
    @Override
    public String toString() {
      return method + " " + path;
    }

    /** The schema of its request's body, or null. */
    Optional<JsonObject> bodySchema() {
      return Optional.ofNullable(description.getJsonObject("requestBody"))
          .map(AdminDescriptionTest::schemaOf);
    }
  }

  private List<Operation> operations() {
    List<Operation> operations = new ArrayList<>();
    JsonObject paths = description.getJsonObject("paths");
    for (String path : paths.fieldNames()) {
      for (Map.Entry<String, Object> method : paths.getJsonObject(path)) {
        operations.add(
            new Operation(
                method.getKey().toUpperCase(Locale.ROOT), path, (JsonObject) method.getValue()));
      }
    }
    return operations;
  }

  private static JsonObject schemaOf(JsonObject content) {
    return content
        .getJsonObject("content")
        .getJsonObject("application/json")
        .getJsonObject("schema");
  }

  private JsonObject resolve(JsonObject schema) {
    String reference = schema.getString("$ref");
    return reference == null
        ? schema
        : description
            .getJsonObject("components")
            .getJsonObject("schemas")
            .getJsonObject(reference.substring("#/components/schemas/".length()));
  }

  @Test
  void clientThatOffersHttp2IsAnsweredInHttp1() throws IOException, InterruptedException {
    assertThat(client.version()).isEqualTo(HttpClient.Version.HTTP_2);

    assertThat(send("GET", "/openapi.json", "").version()).isEqualTo(HttpClient.Version.HTTP_1_1);
  }

  @Test
  void everyRouteIsDescribedWithItsPathParametersAndNothingElseIs() {
    Set<String> routes = new TreeSet<>();
    for (Route route : new AdminRoutes(vertx, withoutConsole(), parts).router().getRoutes()) {
      if (route.methods() != null) {
        route.methods().forEach(method -> routes.add(method + " " + route.getPath()));
      }
    }

    Set<String> described = new TreeSet<>();
    Set<String> headers = new TreeSet<>();
    for (Operation operation : operations()) {
      String path = operation.path();
      for (Object parameter : operation.description().getJsonArray("parameters", new JsonArray())) {
        String name = ((JsonObject) parameter).getString("name");
        if (((JsonObject) parameter).getString("in").equals("header")) {
          headers.add(operation.method() + " " + path + " " + name);
        } else {
          assertThat(((JsonObject) parameter).getString("in")).isEqualTo("path");
          path = path.replace("{" + name + "}", ":" + name);
        }
      }
      described.add(operation.method() + " " + path);
    }

    assertThat(described).isEqualTo(routes);
    assertThat(headers).hasSize(1).allMatch(header -> header.matches("PATCH .*buckets.* If-Match"));
  }

  private static AdminConfig withoutConsole() {
    AdminConfig usual = AdminConfig.DEFAULT;
    return new AdminConfig(
        usual.host(),
        usual.port(),
        usual.bodyBytesMax(),
        usual.connectionsMax(),
        usual.idleMsMax(),
        usual.eventsTokenFile(),
        false,
        usual.gateways());
  }

  @Test
  void everyBodyHasTheFieldsThatAreDescribed() throws IOException, InterruptedException {
    send("POST", "/api/v1/users", "{\"name\":\"alice\"}");
    send("POST", "/api/v1/buckets", "{\"name\":\"there\",\"owner\":\"alice\"}");

    for (Operation operation : operations()) {
      Optional<JsonObject> schema = operation.bodySchema();
      String path = operation.path().replace("{name}", "there");
      if (schema.isEmpty() || isOpen(schema.orElseThrow())) {
        continue;
      }
      assertFields(operation, path, schema.orElseThrow(), "%s");
    }
  }

  /** Whether documents of another service may have fields that Tarn does not know. */
  private boolean isOpen(JsonObject schema) {
    return resolve(schema).getBoolean("additionalProperties");
  }

  /** Sends an unknown field here and within each field that is an object. */
  private void assertFields(Operation operation, String path, JsonObject schema, String around)
      throws IOException, InterruptedException {
    HttpResponse<String> answer =
        send(operation.method(), path, around.formatted("{\"no-such-field\":1}"));
    Matcher known = KNOWN_FIELDS.matcher(answer.body());
    assertThat(known.find()).as(operation + ": " + answer.body()).isTrue();
    JsonObject fields = resolve(schema).getJsonObject("properties");
    assertThat(known.group(1).split(", ", -1))
        .as(operation.toString())
        .containsExactlyInAnyOrder(fields.fieldNames().toArray(String[]::new));
    for (String name : fields.fieldNames()) {
      Optional<JsonObject> section = sectionOf(fields.getJsonObject(name));
      if (section.isPresent()) {
        String bucketName = fields.containsKey("name") ? "\"name\":\"n\"," : "";
        assertFields(
            operation,
            path,
            section.orElseThrow(),
            around.formatted("{" + bucketName + "\"" + name + "\":%s}"));
      }
    }
  }

  private static Optional<JsonObject> sectionOf(JsonObject schema) {
    if (schema.containsKey("$ref")) {
      return Optional.of(schema);
    }
    return schema.getJsonArray("oneOf", new JsonArray()).stream()
        .map(JsonObject.class::cast)
        .filter(one -> one.containsKey("$ref"))
        .findFirst();
  }

  @Test
  void answersHaveTheFormThatIsDescribed() throws IOException, InterruptedException {
    assertAnswer("POST", "/api/v1/users", "{\"name\":\"alice\"}", 201);
    assertAnswer("POST", "/api/v1/keys", "{\"user\":\"alice\"}", 201);
    assertAnswer("POST", "/api/v1/buckets", "{\"name\":\"bucket-1\",\"owner\":\"alice\"}", 201);
    assertAnswer(
        "POST",
        "/api/v1/buckets",
        "{\"name\":\"bucket-2\",\"owner\":\"alice\",\"settings\":{\"backend\":{\"bucket\":\"far\"},"
            + "\"freshness\":\"5s\",\"hide_backend\":true}}",
        201);
    for (String path : List.of("buckets", "users", "keys", "scrub", "cluster", "status")) {
      assertAnswer("GET", "/api/v1/" + path, "", 200);
    }
    assertAnswer("POST", "/api/v1/scrub", "", 200);
    assertAnswer("GET", "/api/v1/buckets/{name}", "bucket-2", "", 200);
    assertAnswer("PATCH", "/api/v1/buckets/{name}", "bucket-1", "{\"verify\":\"always\"}", 200);
    assertAnswer("GET", "/api/v1/buckets/{name}/usage", "bucket-2", "", 200);
    assertAnswer("POST", "/api/v1/events/s3", "{\"Event\":\"s3:TestEvent\"}", 200);
    assertAnswer("DELETE", "/api/v1/buckets/{name}", "bucket-1", "", 200);
    assertAnswer("DELETE", "/api/v1/buckets/{name}", "bucket-2", "", 200);
    assertAnswer("DELETE", "/api/v1/users/{name}", "alice", "", 200);
    assertAnswer("GET", "/api/v1/buckets/{name}", "bucket-1", "", 404);
    assertAnswer("POST", "/api/v1/cluster/members", "", 404);
  }

  private void assertAnswer(String method, String path, String body, int status)
      throws IOException, InterruptedException {
    assertAnswer(method, path, "", body, status);
  }

  private void assertAnswer(String method, String path, String name, String body, int status)
      throws IOException, InterruptedException {
    HttpResponse<String> answer = send(method, path.replace("{name}", name), body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(answer.headers().firstValue("content-type")).contains("application/json");
    JsonObject responses =
        description
            .getJsonObject("paths")
            .getJsonObject(path)
            .getJsonObject(method.toLowerCase(Locale.ROOT))
            .getJsonObject("responses");
    JsonObject response =
        Stream.of(Integer.toString(status), "default")
            .filter(responses::containsKey)
            .findFirst()
            .map(responses::getJsonObject)
            .orElseThrow();
    if (response.containsKey("$ref")) {
      response =
          description.getJsonObject("components").getJsonObject("responses").getJsonObject("Error");
    }
    assertForm(method + " " + path, new JsonObject(answer.body()), schemaOf(response));
  }

  private void assertForm(String where, Object value, JsonObject schema) {
    JsonArray choices = schema.getJsonArray("oneOf");
    if (choices != null) {
      if (value != null) {
        assertForm(where, value, sectionOf(schema).orElseThrow());
      }
      return;
    }
    JsonObject resolved = resolve(schema);
    Object types = resolved.getValue("type");
    Stream<?> allowed = types instanceof JsonArray list ? list.stream() : Stream.of(types);
    assertThat(allowed.map(Object::toString)).as(where).contains(typeOf(value));
    if (value instanceof JsonObject object) {
      JsonObject fields = resolved.getJsonObject("properties");
      assertThat(object.fieldNames()).as(where).isSubsetOf(fields.fieldNames());
      assertThat(object.fieldNames())
          .as(where)
          .containsAll(
              resolved.getJsonArray("required", new JsonArray()).stream()
                  .map(String.class::cast)
                  .toList());
      object.forEach(field ->
          assertForm(
              where + "." + field.getKey(),
              field.getValue(),
              fields.getJsonObject(field.getKey())));
    } else if (value instanceof JsonArray array) {
      array.forEach(item -> assertForm(where + "[]", item, resolved.getJsonObject("items")));
    } else if (resolved.containsKey("enum")) {
      assertThat(resolved.getJsonArray("enum").stream()).as(where).contains(value);
    } else if (resolved.containsKey("pattern")) {
      assertThat((String) value).as(where).matches(resolved.getString("pattern"));
    }
  }

  private static String typeOf(Object value) {
    return switch (value) {
      case null -> "null";
      case String _ -> "string";
      case Boolean _ -> "boolean";
      case Double _ -> "number";
      case Number _ -> "integer";
      case JsonArray _ -> "array";
      default -> "object";
    };
  }
}
