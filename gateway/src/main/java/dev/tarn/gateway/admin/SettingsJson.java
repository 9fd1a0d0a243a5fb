package dev.tarn.gateway.admin;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.BucketSettings.Durability;
import dev.tarn.cluster.control.Freshness;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** A bucket's settings as JSON of the admin API. Secrets are read but never written. */
final class SettingsJson {
  static final String[] FIELDS = {
    "durability",
    "verify",
    "backend",
    "freshness",
    "time_to_live_ms",
    "anonymous_read",
    "hide_backend"
  };

  private SettingsJson() {}

  static JsonObject write(BucketSettings settings) {
    JsonObject document =
        new JsonObject()
            .put("durability", text(settings.durability()))
            .put("verify", text(settings.verify()))
            .put("backend", settings.backend().map(SettingsJson::write).orElse(null))
            .put("freshness", text(settings.freshness().mode()));
    if (settings.freshness().mode() == Freshness.Mode.TTL) {
      document.put("time_to_live_ms", settings.freshness().timeToLive().toMillis());
    }
    return document
        .put("anonymous_read", settings.anonymousRead())
        .put("hide_backend", settings.hideBackend());
  }

  private static JsonObject write(BackendSettings backend) {
    return new JsonObject()
        .put("endpoint", backend.endpoint().map(URI::toString).orElse(null))
        .put("region", backend.region())
        .put("bucket", backend.bucket())
        .put("prefix", backend.prefix())
        .put("access_key_id", backend.accessKeyId());
  }

  /**
   * Applies the fields to the settings and to the backend. Settings that the fields do not name
   * stay. A new backend sets the default of durability to os.
   */
  static BucketSettings change(BucketSettings settings, Fields fields) {
    try {
      Optional<BackendSettings> backend =
          fields.has("backend")
              ? fields
                  .optionalSection("backend")
                  .map(changes -> changeBackend(settings.backend(), changes))
              : settings.backend();
      boolean becomesCache = settings.backend().isEmpty() && backend.isPresent();
      return new BucketSettings(
          oneOf(fields, "durability", becomesCache ? Durability.OS : settings.durability()),
          oneOf(fields, "verify", settings.verify()),
          backend,
          readFreshness(settings.freshness(), fields),
          fields.truth("anonymous_read", settings.anonymousRead()),
          fields.truth("hide_backend", settings.hideBackend()));
    } catch (IllegalArgumentException e) {
      throw AdminProblem.wrongRequest(String.valueOf(e.getMessage()));
    }
  }

  private static Freshness readFreshness(Freshness present, Fields fields) {
    Freshness.Mode mode = oneOf(fields, "freshness", present.mode());
    Object timeToLive = fields.document().getValue("time_to_live_ms");
    if (timeToLive == null) {
      boolean same = mode == present.mode();
      return new Freshness(mode, same ? present.timeToLive() : Duration.ZERO);
    }
    if (timeToLive instanceof Integer || timeToLive instanceof Long) {
      return new Freshness(mode, Duration.ofMillis(((Number) timeToLive).longValue()));
    }
    throw AdminProblem.wrongRequest("the field 'time_to_live_ms' must be a whole number");
  }

  private static BackendSettings changeBackend(Optional<BackendSettings> present, Fields fields) {
    fields.allow("endpoint", "region", "bucket", "prefix", "access_key_id", "secret_access_key");
    Optional<String> accessKeyId = fields.optionalText("access_key_id");
    Optional<String> secret = fields.optionalText("secret_access_key");
    if (accessKeyId.isPresent() != secret.isPresent()) {
      throw AdminProblem.wrongRequest(
          "a backend's access_key_id and secret_access_key must be given together");
    }
    return new BackendSettings(
        fields.has("endpoint")
            ? fields.optionalText("endpoint").filter(text -> !text.isEmpty()).map(URI::create)
            : present.flatMap(BackendSettings::endpoint),
        textOr(fields, "region", present.map(BackendSettings::region), "us-east-1"),
        fields
            .optionalText("bucket")
            .or(() -> present.map(BackendSettings::bucket))
            .orElseThrow(() ->
                AdminProblem.wrongRequest(
                    "the bucket has no backend to be changed; name the backend's bucket too")),
        textOr(fields, "prefix", present.map(BackendSettings::prefix), ""),
        textOr(fields, "access_key_id", present.map(BackendSettings::accessKeyId), ""),
        textOr(fields, "secret_access_key", present.map(BackendSettings::secretAccessKey), ""));
  }

  private static String textOr(
      Fields fields, String name, Optional<String> present, String otherwise) {
    return fields.optionalText(name).or(() -> present).orElse(otherwise);
  }

  private static <T extends Enum<T>> T oneOf(Fields fields, String name, T otherwise) {
    Optional<String> given = fields.optionalText(name);
    if (given.isEmpty()) {
      return otherwise;
    }
    T[] constants = otherwise.getDeclaringClass().getEnumConstants();
    return Arrays.stream(constants)
        .filter(constant -> text(constant).equals(given.orElseThrow()))
        .findFirst()
        .orElseThrow(() ->
            AdminProblem.wrongRequest(
                name
                    + " is '"
                    + given.orElseThrow()
                    + "', must be one of "
                    + Arrays.stream(constants)
                        .map(SettingsJson::text)
                        .collect(Collectors.joining(", "))));
  }

  private static String text(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
