package dev.tarn.gateway.admin;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.BucketSettings.Durability;
import dev.tarn.cluster.control.SettingsSchema;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A bucket's settings as JSON of the admin API. Secrets are read but never written. */
final class SettingsJson {
  private static final String BACKEND = "backend";
  private static final List<SettingsSchema.Entry> ENTRIES = BucketSettings.SCHEMA.entries();

  private SettingsJson() {}

  static String[] fields() {
    return Stream.concat(ENTRIES.stream().map(SettingsSchema.Entry::field), Stream.of(BACKEND))
        .toArray(String[]::new);
  }

  /** Adds the settings to the properties of an object's schema in the OpenAPI document. */
  static void describe(JsonObject properties) {
    for (SettingsSchema.Entry entry : ENTRIES) {
      JsonObject schema =
          new JsonObject()
              .put("type", entry.isFlag() ? "boolean" : "string")
              .put("description", entry.meaning());
      if (!entry.isFlag()) {
        if (entry.choices().isEmpty()) {
          schema.put("pattern", "^(" + entry.pattern() + ")$");
        } else {
          schema.put("enum", new JsonArray(entry.choices()));
        }
      }
      properties.put(entry.field(), schema);
    }
  }

  static JsonObject write(BucketSettings settings) {
    JsonObject document = new JsonObject();
    ENTRIES.forEach(entry -> document.put(entry.field(), entry.jsonIn(settings)));
    return document.put(BACKEND, settings.backend().map(SettingsJson::write).orElse(null));
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
          fields.has(BACKEND)
              ? fields
                  .optionalSection(BACKEND)
                  .map(changes -> changeBackend(settings.backend(), changes))
              : settings.backend();
      boolean becomesCache = settings.backend().isEmpty() && backend.isPresent();
      BucketSettings start = becomesCache ? settings.with(Durability.OS) : settings;
      return BucketSettings.SCHEMA.with(start.withBackend(backend), changes(fields));
    } catch (IllegalArgumentException e) {
      throw AdminProblem.wrongRequest(String.valueOf(e.getMessage()));
    }
  }

  private static Map<String, Object> changes(Fields fields) {
    Map<String, Object> changes = new HashMap<>();
    for (SettingsSchema.Entry entry : ENTRIES) {
      Optional<String> text =
          entry.isFlag()
              ? fields.optionalTruth(entry.field()).map(String::valueOf)
              : fields.optionalText(entry.field());
      text.ifPresent(given -> changes.put(entry.name(), entry.parse(given)));
    }
    return changes;
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
}
