package dev.tarn.gateway.admin;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.Evicted;
import dev.tarn.cluster.target.OutdatedKey;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.s3.bucket.BucketEviction;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Notifications about objects that have changed at a backend, in the JSON of S3 event
 * notifications. The cached copies of these objects are dropped, but those that have the ETag which
 * the notification names. So notifications may come late, twice and in any order, and those about
 * writes through Tarn itself drop nothing.
 */
record EventResource(Commands commands, BucketEviction eviction) {
  private static final String TEST_EVENT = "s3:TestEvent";

  /** In the names of events about reads, which some servers send. */
  private static final String READ = "ObjectAccessed";

  EventResource {
    requireNonNull(commands, "commands is null");
    requireNonNull(eviction, "eviction is null");
  }

  /** An object that has changed. */
  private record Change(String backendBucket, String key, String etag) {}

  /** Takes notifications. Fails as a whole if a target cannot be reached: then they come again. */
  AdminAnswer take(AdminCall call) {
    CallContext context = CallContext.foreground("events", Optional.of(call.user().id()));
    Map<Bucket, List<OutdatedKey>> outdated = new LinkedHashMap<>();
    List<Change> changes = changes(call.fields().document());
    for (Change change : changes) {
      for (Bucket bucket : commands.state().buckets()) {
        keyIn(bucket, change)
            .ifPresent(key -> outdated.computeIfAbsent(bucket, any -> new ArrayList<>()).add(key));
      }
    }
    long objects = 0;
    try {
      for (Map.Entry<Bucket, List<OutdatedKey>> of : outdated.entrySet()) {
        List<OutdatedKey> keys = of.getValue();
        for (int from = 0; from < keys.size(); from += TargetRequest.PAGE_MAX) {
          int to = Math.min(keys.size(), from + TargetRequest.PAGE_MAX);
          Evicted evicted = eviction.outdated(of.getKey(), keys.subList(from, to), context);
          objects += evicted.objects();
        }
      }
    } catch (S3Exception e) {
      throw AdminProblem.of(e);
    }
    return AdminAnswer.ok(
        new JsonObject()
            .put("events", changes.size())
            .put("outdated", outdated.values().stream().mapToInt(List::size).sum())
            .put("evicted_objects", objects));
  }

  private static List<Change> changes(JsonObject document) {
    if (TEST_EVENT.equals(document.getValue("Event"))) {
      return List.of(); // S3 sends it when notifications are configured.
    }
    if (!(document.getValue("Records") instanceof JsonArray records)) {
      throw AdminProblem.wrongRequest(
          "the body must be an S3 event notification, whose field 'Records' is a list");
    }
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      if (!(records.getValue(i) instanceof JsonObject record)) {
        throw wrong(i, "is no object");
      }
      if (record.getValue("eventName") instanceof String name && name.contains(READ)) {
        continue; // Nothing has changed.
      }
      changes.add(
          new Change(
              text(record, i, "s3", "bucket", "name"),
              decoded(text(record, i, "s3", "object", "key"), i),
              etag(record)));
    }
    return changes;
  }

  private static String text(JsonObject record, int number, String... path) {
    Object found = record;
    for (String name : path) {
      found = found instanceof JsonObject object ? object.getValue(name) : null;
    }
    if (found instanceof String text && !text.isEmpty()) {
      return text;
    }
    throw wrong(number, "has no text at " + String.join(".", path));
  }

  /** Keys in notifications are encoded like those of HTML forms. */
  private static String decoded(String key, int number) {
    try {
      return URLDecoder.decode(key, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw wrong(number, "has a key that is not URL-encoded: " + e.getMessage());
    }
  }

  /**
   * The ETag that the object has now, if its cached entry is current when it has the same. Empty if
   * the object was removed, was copied onto itself, which changes only its metadata, or if the
   * record does not say.
   */
  private static String etag(JsonObject record) {
    boolean isMade =
        record.getValue("eventName") instanceof String name
            && name.contains("ObjectCreated")
            && !name.endsWith(":Copy");
    return isMade
            && record.getValue("s3") instanceof JsonObject s3
            && s3.getValue("object") instanceof JsonObject object
            && object.getValue("eTag") instanceof String etag
        ? etag.replace("\"", "")
        : "";
  }

  private static AdminProblem wrong(int number, String problem) {
    return AdminProblem.wrongRequest("record " + number + " of the notification " + problem);
  }

  /** The key under which a bucket shows the object, if it caches it. */
  private static Optional<OutdatedKey> keyIn(Bucket bucket, Change change) {
    Optional<BackendSettings> backend = bucket.settings().backend();
    if (backend.isEmpty()
        || !backend.orElseThrow().bucket().equals(change.backendBucket())
        || !change.key().startsWith(backend.orElseThrow().prefix())
        || change.key().length() == backend.orElseThrow().prefix().length()) {
      return Optional.empty();
    }
    String key = change.key().substring(backend.orElseThrow().prefix().length());
    try {
      return Optional.of(new OutdatedKey(ObjectKey.of(key), change.etag()));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // No object can have this key.
    }
  }
}
