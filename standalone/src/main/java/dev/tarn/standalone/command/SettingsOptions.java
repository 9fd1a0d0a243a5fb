package dev.tarn.standalone.command;

import dev.tarn.standalone.config.DurationText;
import dev.tarn.standalone.node.KeyPair;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A bucket's settings on the command line. A setting that is not given does not change. */
final class SettingsOptions {
  private static final String ACCESS_VARIABLE = "TARN_BACKEND_ACCESS_KEY";
  private static final String SECRET_VARIABLE = "TARN_BACKEND_SECRET_KEY";

  @Option(
      names = "--durability",
      paramLabel = "WHEN",
      description =
          "When a write is acknowledged: fsync (it survives a power loss) or os (it does not).")
  private @Nullable String durability;

  @Option(
      names = "--verify",
      paramLabel = "WHEN",
      description = "When extents are verified: scrub (by scrubs only) or always (on every read).")
  private @Nullable String verify;

  @Option(
      names = "--anonymous-read",
      paramLabel = "BOOLEAN",
      arity = "0..1",
      fallbackValue = "true",
      description = "Whether anyone may read and list: true or false.")
  private @Nullable Boolean anonymousRead;

  @Option(
      names = "--freshness",
      paramLabel = "RULE",
      description =
          "How long a cached object counts as fresh: immutable, revalidate, or a time such as 15m.")
  private @Nullable String freshness;

  @Option(
      names = "--backend",
      paramLabel = "s3://BUCKET/PREFIX",
      description =
          "The S3 service that the bucket caches. Requests are signed with the key pair in"
              + " TARN_BACKEND_ACCESS_KEY and TARN_BACKEND_SECRET_KEY or in --backend-credentials;"
              + " without a pair they are not signed. Only region and key pair can be changed"
              + " later.")
  private @Nullable String backend;

  @Option(
      names = "--backend-endpoint",
      paramLabel = "URL",
      description = "URL of the backend; default: AWS.")
  private @Nullable String backendEndpoint;

  @Option(
      names = "--backend-region",
      paramLabel = "REGION",
      description = "Region of the backend; default: us-east-1.")
  private @Nullable String backendRegion;

  @Option(
      names = "--backend-credentials",
      paramLabel = "FILE",
      description = "File with the backend's key pair, as aws-cli writes it.")
  private @Nullable Path backendCredentials;

  @Option(
      names = "--hide-backend",
      paramLabel = "BOOLEAN",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Whether clients are not told where the backend is; the SDK then falls back to it only"
              + " if a job names it: true or false.")
  private @Nullable Boolean hideBackend;

  @Option(names = "--no-backend", description = "Store objects in Tarn only, without a backend.")
  private boolean noBackend;

  /** The changes in the form of the admin API. */
  JsonObject document() throws IOException {
    JsonObject document = new JsonObject();
    if (durability != null) {
      document.put("durability", durability);
    }
    if (verify != null) {
      document.put("verify", verify);
    }
    if (anonymousRead != null) {
      document.put("anonymous_read", anonymousRead);
    }
    if (hideBackend != null) {
      document.put("hide_backend", hideBackend);
    }
    if (freshness != null) {
      putFreshness(document, freshness);
    }
    Map<String, String> environment = System.getenv();
    boolean ofBackend =
        backend != null
            || backendEndpoint != null
            || backendRegion != null
            || backendCredentials != null;
    if (noBackend && ofBackend) {
      throw new IllegalArgumentException(
          "--no-backend and the --backend options exclude each other");
    }
    if (noBackend) {
      document.putNull("backend");
    } else if (ofBackend) {
      document.put("backend", backendDocument(environment));
    }
    return document;
  }

  /**
   * The settings of a new bucket. A new bucket has no backend yet, so the --backend options need
   * --backend.
   */
  JsonObject documentOfNewBucket() throws IOException {
    JsonObject document = document();
    JsonObject section = document.getJsonObject("backend");
    if (section != null && !section.containsKey("bucket")) {
      throw new IllegalArgumentException(
          "the --backend options need --backend s3://BUCKET/PREFIX too, which names the backend");
    }
    return document;
  }

  private static void putFreshness(JsonObject document, String rule) {
    if (rule.equals("immutable") || rule.equals("revalidate")) {
      document.put("freshness", rule);
      return;
    }
    try {
      document.put("freshness", "ttl").put("time_to_live_ms", DurationText.parse(rule).toMillis());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--freshness is '" + rule + "', must be immutable, revalidate or a time such as 15m", e);
    }
  }

  /** The given settings of the backend; the others do not change. */
  private JsonObject backendDocument(Map<String, String> environment) throws IOException {
    JsonObject document = new JsonObject();
    if (backend != null) {
      putPlace(document, backend);
    }
    if (backendRegion != null) {
      document.put("region", backendRegion);
    }
    if (backendEndpoint != null) {
      document.put("endpoint", backendEndpoint);
    }
    backendPair(environment)
        .ifPresent(pair ->
            document
                .put("access_key_id", pair.accessKey())
                .put("secret_access_key", pair.secretKey()));
    return document;
  }

  private static void putPlace(JsonObject document, String url) {
    if (!url.startsWith("s3://") || url.length() == "s3://".length()) {
      throw new IllegalArgumentException(
          "--backend is '" + url + "', must be s3://BUCKET or s3://BUCKET/PREFIX");
    }
    String rest = url.substring("s3://".length());
    int slash = rest.indexOf('/');
    document
        .put("bucket", slash < 0 ? rest : rest.substring(0, slash))
        .put("prefix", slash < 0 ? "" : rest.substring(slash + 1));
  }

  private Optional<KeyPair> backendPair(Map<String, String> environment) throws IOException {
    return backendCredentials == null
        ? KeyPair.inEnvironment(environment, ACCESS_VARIABLE, SECRET_VARIABLE)
        : Optional.of(KeyPair.requiredIn(backendCredentials, "--backend-credentials"));
  }
}
