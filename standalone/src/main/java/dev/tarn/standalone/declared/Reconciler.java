package dev.tarn.standalone.declared;

import static java.util.Objects.requireNonNull;

import dev.tarn.standalone.client.AdminApi;
import dev.tarn.standalone.client.AdminRequestException;
import dev.tarn.standalone.cluster.Backoff;
import dev.tarn.standalone.node.KeyPair;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Creates the declared users, keys and buckets that do not exist, and changes settings of buckets
 * that differ. It removes nothing: users, keys and buckets made by hand stay. A second run changes
 * nothing.
 */
public final class Reconciler {
  private static final String USERS = "/users";
  private static final String KEYS = "/keys";
  private static final String BUCKETS = "/buckets";
  private static final String ACCESS_KEY_ID = "access_key_id";
  private static final String SECRET_ACCESS_KEY = "secret_access_key";
  private static final int UNAVAILABLE = 503;

  private final AdminApi api;
  private final Backoff backoff;
  private final Consumer<String> report;

  /**
   * Creates a reconciler that reports a line for each user, key and bucket.
   *
   * @param backoff limits all retries together while the server answers 503
   */
  public Reconciler(AdminApi api, Backoff backoff, Consumer<String> report) {
    this.api = requireNonNull(api, "api is null");
    this.backoff = requireNonNull(backoff, "backoff is null");
    this.report = requireNonNull(report, "report is null");
  }

  /**
   * Applies the declaration.
   *
   * @throws IllegalArgumentException if a key pair cannot be read; nothing is changed before that
   * @throws IOException if the server rejects a change, or an existing user, key or bucket
   *     contradicts the declaration; earlier changes stay
   */
  public void reconcile(Declaration declaration) throws IOException {
    Map<Path, KeyPair> pairs = pairs(declaration);
    users(declaration);
    keys(declaration, pairs);
    buckets(declaration, pairs);
  }

  private static Map<Path, KeyPair> pairs(Declaration declaration) {
    Map<Path, KeyPair> pairs = new LinkedHashMap<>();
    declaration.users().forEach(user -> read("user " + user.name(), user.credentials(), pairs));
    declaration
        .backends()
        .forEach(backend -> read("backend " + backend.name(), backend.credentials(), pairs));
    return pairs;
  }

  private static void read(String whose, Optional<Path> credentials, Map<Path, KeyPair> pairs) {
    credentials.ifPresent(
        path -> pairs.put(path, KeyPair.requiredIn(path, "credentials of the " + whose)));
  }

  private void users(Declaration declaration) throws IOException {
    Map<String, JsonObject> present = byName(USERS, "users", "name");
    for (DeclaredUser user : declaration.users()) {
      JsonObject there = present.get(user.name());
      if (there == null) {
        call(
            "POST",
            USERS,
            new JsonObject().put("name", user.name()).put("admin", user.admin().orElse(false)));
        tell("user", user.name(), "made");
      } else if (!user.admin()
          .orElse(there.getBoolean("admin"))
          .equals(there.getBoolean("admin"))) {
        throw new IOException(
            "the user %s is there and %s, which cannot be changed; declare another user"
                .formatted(user.name(), there.getBoolean("admin") ? "an admin" : "no admin"));
      } else {
        tell("user", user.name(), "unchanged");
      }
    }
  }

  /** Creates missing key pairs. An existing pair stays: its secret cannot be read and compared. */
  private void keys(Declaration declaration, Map<Path, KeyPair> pairs) throws IOException {
    Map<String, JsonObject> present = byName(KEYS, "keys", "id");
    for (DeclaredUser user : declaration.users()) {
      if (user.credentials().isEmpty()) {
        continue;
      }
      KeyPair pair = requireNonNull(pairs.get(user.credentials().orElseThrow()), "read before");
      JsonObject there = present.get(pair.accessKey());
      if (there == null) {
        call(
            "POST",
            KEYS,
            new JsonObject()
                .put("user", user.name())
                .put("id", pair.accessKey())
                .put("secret", pair.secretKey()));
        tell("key", pair.accessKey(), "made for " + user.name());
      } else if (!there.getString("user").equals(user.name())) {
        throw new IOException(
            "the key %s of the user %s belongs to the user %s; give another key pair"
                .formatted(pair.accessKey(), user.name(), there.getString("user")));
      } else {
        tell("key", pair.accessKey(), "unchanged");
      }
    }
  }

  private void buckets(Declaration declaration, Map<Path, KeyPair> pairs) throws IOException {
    Map<String, JsonObject> present = byName(BUCKETS, "buckets", "name");
    for (DeclaredBucket bucket : declaration.buckets()) {
      JsonObject settings = bucket.document();
      if (bucket.backend().isPresent()) {
        settings.put("backend", backend(declaration, bucket.backend().orElseThrow(), pairs));
      }
      JsonObject there = present.get(bucket.name());
      if (there == null) {
        JsonObject document = new JsonObject().put("name", bucket.name()).put("settings", settings);
        bucket.owner().ifPresent(owner -> document.put("owner", owner));
        call("POST", BUCKETS, document);
        tell("bucket", bucket.name(), "made");
        continue;
      }
      String owner = there.getString("owner");
      if (!bucket.owner().orElse(owner).equals(owner)) {
        throw new IOException(
            "the bucket %s belongs to the user %s, which cannot be changed; declare another bucket"
                .formatted(bucket.name(), owner));
      }
      boolean same = holds(there.getJsonObject("settings"), settings);
      if (!same) {
        call("PATCH", BUCKETS + "/" + bucket.name(), settings);
      }
      tell("bucket", bucket.name(), same ? "unchanged" : "set");
    }
  }

  private static JsonObject backend(
      Declaration declaration, DeclaredBucket.Cached cached, Map<Path, KeyPair> pairs) {
    DeclaredBackend backend = declaration.backend(cached.name());
    JsonObject document =
        new JsonObject().put("bucket", cached.bucket()).put("prefix", cached.prefix().orElse(""));
    backend.endpoint().ifPresent(endpoint -> document.put("endpoint", endpoint.toString()));
    backend.region().ifPresent(region -> document.put("region", region));
    backend
        .credentials()
        .map(pairs::get)
        .ifPresent(pair ->
            document.put(ACCESS_KEY_ID, pair.accessKey()).put(SECRET_ACCESS_KEY, pair.secretKey()));
    return document;
  }

  /**
   * Whether the shown document has all wanted values. The server never shows a secret key: it
   * counts as equal if its access key is equal.
   */
  private static boolean holds(JsonObject shown, JsonObject asked) {
    for (String field : asked.fieldNames()) {
      if (field.equals(SECRET_ACCESS_KEY)) {
        continue;
      }
      Object value = asked.getValue(field);
      boolean same =
          (value instanceof JsonObject section && shown.getValue(field) instanceof JsonObject there)
              ? holds(there, section)
              : value.equals(shown.getValue(field));
      if (!same) {
        return false;
      }
    }
    return true;
  }

  private Map<String, JsonObject> byName(String path, String list, String name) throws IOException {
    Map<String, JsonObject> items = new LinkedHashMap<>();
    for (Object item : call("GET", path, null).getJsonArray(list)) {
      JsonObject document = (JsonObject) item;
      items.put(document.getString(name), document);
    }
    return items;
  }

  private JsonObject call(String method, String path, @Nullable JsonObject document)
      throws IOException {
    while (true) {
      try {
        return api.call(method, path, document);
      } catch (AdminRequestException e) {
        if (e.status() != UNAVAILABLE || !backoff.again()) {
          throw e;
        }
      }
    }
  }

  private void tell(String what, String name, String outcome) {
    report.accept(what + " " + name + ": " + outcome);
  }
}
