package dev.tarn.standalone.declared;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.SettingsSchema;
import dev.tarn.standalone.config.PartOf;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.Optional;

/**
 * A declared bucket. A setting that is not declared gets the server's default in a new bucket, and
 * stays as it is in an existing bucket.
 *
 * @param name the bucket's name
 * @param owner the name of the user who owns the bucket
 * @param settings the values of settings by their names
 * @param backend what the bucket caches; empty for a primary bucket
 */
public record DeclaredBucket(
    String name,
    Optional<String> owner,
    @PartOf(BucketSettings.class) Map<String, Object> settings,
    Optional<Cached> backend) {
  public DeclaredBucket {
    requireNonNull(name, "name is null");
    requireNonNull(owner, "owner is null");
    settings = Map.copyOf(settings);
    requireNonNull(backend, "backend is null");
  }

  /**
   * The part of a backend that a bucket caches.
   *
   * @param name the name of the backend
   * @param bucket the bucket of the backend
   * @param prefix the prefix added to every key in the backend
   */
  public record Cached(String name, String bucket, Optional<String> prefix) {
    public Cached {
      requireNonNull(name, "name is null");
      requireNonNull(bucket, "bucket is null");
      requireNonNull(prefix, "prefix is null");
    }
  }

  /** The settings in the form of the admin API, without the backend. */
  JsonObject document() {
    JsonObject document = new JsonObject();
    for (SettingsSchema.Entry entry : BucketSettings.SCHEMA.entries()) {
      Object value = settings.get(entry.name());
      if (value != null) {
        document.put(entry.field(), SettingsSchema.Entry.json(value));
      }
    }
    return document;
  }
}
