package dev.tarn.gateway.admin;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.BucketNames;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome.Reason;
import dev.tarn.cluster.control.CommandOutcome.Rejected;
import dev.tarn.cluster.control.User;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.Evicted;
import dev.tarn.cluster.target.OutdatedKey;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.wire.TargetReport;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.s3.bucket.BucketDeletion;
import dev.tarn.gateway.s3.bucket.BucketEviction;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Buckets and their settings. */
record BucketResource(
    Commands commands,
    BucketDeletion deletion,
    BucketEviction eviction,
    BucketSettings defaults,
    Supplier<NodeStatus> status) {

  /** The most attempts of one change while others change the bucket. */
  private static final int ATTEMPTS_MAX = 20;

  BucketResource {
    requireNonNull(commands, "commands is null");
    requireNonNull(deletion, "deletion is null");
    requireNonNull(eviction, "eviction is null");
    requireNonNull(defaults, "defaults is null");
    requireNonNull(status, "status is null");
  }

  AdminAnswer list(AdminCall call) {
    JsonArray buckets = new JsonArray();
    commands.state().buckets().forEach(bucket -> buckets.add(document(bucket)));
    return AdminAnswer.ok(new JsonObject().put("buckets", buckets));
  }

  AdminAnswer show(AdminCall call) {
    return AdminAnswer.ok(document(commands.bucket(call.name())));
  }

  AdminAnswer create(AdminCall call) {
    call.fields().allow("name", "owner", "settings", "probe");
    String name = call.fields().text("name");
    User owner =
        call.fields()
            .optionalText("owner")
            .map(userName -> UserResource.named(commands, userName))
            .orElse(call.user());
    BucketSettings settings =
        call.fields()
            .optionalSection("settings")
            .map(fields ->
                // The key pair of the default backend must not be sent to another backend.
                changed(
                    fields.has("backend") ? defaults.withBackend(Optional.empty()) : defaults,
                    fields))
            .orElse(defaults);
    boolean probe = call.fields().truth("probe", false);
    BucketNames.problemOfNew(name)
        .ifPresent(problem -> {
          throw AdminProblem.of(new Rejected(Reason.INVALID_BUCKET_NAME, problem));
        });
    requireRoomFor(name, settings);
    commands.run(new Command.CreateBucket(commands.nowMs(), name, owner.id(), settings));
    Bucket created = commands.bucket(name);
    if (probe && settings.backend().isPresent()) {
      probe(created, call.user());
    }
    return AdminAnswer.created(document(created));
  }

  /** Lists the backend of a new bucket. Deletes the bucket if that fails. */
  private void probe(Bucket created, User user) {
    CallContext context = CallContext.foreground("probe-" + created.name(), Optional.of(user.id()));
    try {
      boolean _ = deletion.isEmpty(created, context);
    } catch (S3Exception e) {
      deletion.delete(created, context);
      throw AdminProblem.conflict(
          "BackendProbeFailed",
          "bucket '"
              + created.name()
              + "' was not created, because the probe of its backend failed: "
              + e.error().message()
              + " Correct the backend's settings, or create the bucket without a probe"
              + " (--no-probe).");
    }
  }

  AdminAnswer set(AdminCall call) {
    OptionalLong read = versionRead(call.request());
    if (read.isPresent()) {
      changeVersion(call, read.orElseThrow());
    } else {
      changeNewest(call);
    }
    return AdminAnswer.ok(document(commands.bucket(call.name())));
  }

  /** Changes a bucket whose version the caller has read. */
  private void changeVersion(AdminCall call, long version) {
    Bucket bucket = commands.bucket(call.name());
    if (bucket.settingsVersion() != version) {
      if (!commands.refresh()) {
        throw AdminProblem.unavailable(
            "bucket '"
                + call.name()
                + "' was not changed: whether its version is "
                + version
                + " is not known, because the control node does not answer; retry later");
      }
      bucket = commands.bucket(call.name());
    }
    if (bucket.settingsVersion() != version || !tryToChange(bucket, call.fields())) {
      throw AdminProblem.preconditionFailed(
          Reason.BUCKET_CHANGED.name(),
          "bucket '"
              + call.name()
              + "' was not changed: its version is not "
              + version
              + ", as If-Match says; read the bucket and retry");
    }
  }

  private void changeNewest(AdminCall call) {
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      if (tryToChange(commands.bucket(call.name()), call.fields())) {
        return;
      }
      boolean _ = commands.refresh(); // If it fails, the next attempt says so.
    }
    throw AdminProblem.conflict(
        Reason.BUCKET_CHANGED.name(),
        "bucket '"
            + call.name()
            + "' was not changed: others changed it during each of "
            + ATTEMPTS_MAX
            + " attempts; retry");
  }

  /** The version of the bucket that the caller has read; empty if any may be changed. */
  private static OptionalLong versionRead(HttpServerRequest request) {
    String given = request.getHeader(HttpHeaders.IF_MATCH);
    if (given == null || given.equals("*")) {
      return OptionalLong.empty();
    }
    if (!given.matches("\"[0-9]{1,18}\"|[0-9]{1,18}")) {
      throw AdminProblem.wrongRequest(
          "If-Match is '" + given + "', must be the version of the bucket, such as \"12\"");
    }
    return OptionalLong.of(Long.parseLong(given.replace("\"", "")));
  }

  /** Changes a bucket; returns false, and changes nothing, if others have changed it. */
  private boolean tryToChange(Bucket bucket, Fields changes) {
    BucketSettings present = bucket.settings();
    BucketSettings settings = changed(present, changes);
    if (!Origin.of(present).equals(Origin.of(settings))) {
      throw AdminProblem.conflict(
          "BackendFixed",
          "bucket '"
              + bucket.name()
              + "' keeps the backend that it was created with, since what it has stored belongs to"
              + " that one; create another bucket for another backend");
    }
    requireRoomFor(bucket.name(), settings);
    return commands.runUnless(
        Reason.BUCKET_CHANGED,
        new Command.SetBucket(
            commands.nowMs(),
            bucket.name(),
            Optional.of(bucket.id()),
            settings,
            bucket.settingsVersion()));
  }

  /** What the cluster holds and reads of a bucket, as far as its targets have answered. */
  AdminAnswer usage(AdminCall call) {
    Bucket bucket = commands.bucket(call.name());
    List<NodeStatus.Target> targets = status.get().targets();
    TargetReport.Usage all =
        targets.stream()
            .flatMap(target -> target.stored().stream())
            .flatMap(stored -> stored.buckets().stream())
            .filter(usage -> usage.bucket().equals(bucket.id()))
            .reduce(new TargetReport.Usage(bucket.id(), 0, 0), TargetReport.Usage::plus);
    JsonArray missing = new JsonArray();
    targets.stream()
        .filter(target -> target.stored().isEmpty())
        .forEach(target -> missing.add(target.id()));
    JsonObject answer =
        new JsonObject()
            .put("name", bucket.name())
            .put("objects", all.objects())
            .put("bytes", all.bytes())
            .put("missing_targets", missing);
    if (bucket.settings().backend().isPresent()) {
      answer.put("cache", UsageJson.cache(all));
    }
    return AdminAnswer.ok(answer);
  }

  /** Refuses a cache-min if the disks cannot hold those of all buckets, if all have answered. */
  private void requireRoomFor(String name, BucketSettings settings) {
    long own = settings.cacheMin().bytes();
    if (own == 0) {
      return;
    }
    List<Bucket> others =
        commands.state().buckets().stream()
            .filter(bucket -> !bucket.name().equals(name))
            .filter(bucket -> !bucket.settings().cacheMin().isNone())
            .toList();
    double all = own;
    for (Bucket other : others) {
      all += other.settings().cacheMin().bytes();
    }
    List<NodeStatus.Target> targets = status.get().targets();
    boolean areAllKnown = targets.stream().noneMatch(target -> target.disks().isEmpty());
    long disks =
        targets.stream()
            .flatMap(target -> target.disks().stream())
            .mapToLong(NodeStatus.Disk::capacityBytes)
            .sum();
    if (areAllKnown && disks > 0 && all > disks) {
      throw AdminProblem.conflict(
          "CacheMinTooLarge",
          "cache-min of bucket '"
              + name
              + "' is "
              + settings.cacheMin()
              + "; with those of the other buckets ("
              + others.stream()
                  .map(o -> o.name() + ": " + o.settings().cacheMin())
                  .collect(Collectors.joining(", "))
              + ") it is more than all disks have, "
              + disks
              + " bytes. Choose less, or lower that of another bucket");
    }
  }

  AdminAnswer delete(AdminCall call) {
    Bucket bucket = commands.bucket(call.name());
    try {
      deletion.delete(
          bucket, CallContext.foreground("delete-" + bucket.name(), Optional.of(call.user().id())));
    } catch (S3Exception e) {
      throw AdminProblem.of(e);
    }
    JsonObject answer = new JsonObject().put("deleted", bucket.name());
    return AdminAnswer.ok(
        bucket.settings().backend().isEmpty()
            ? answer
            : answer.put("note", "forgotten here alone; its objects stay at the backend"));
  }

  AdminAnswer evict(AdminCall call) {
    call.fields().allow("prefix", "after", "keys");
    Bucket bucket = commands.bucket(call.name());
    List<OutdatedKey> keys =
        call.fields().texts("keys").stream().map(key -> new OutdatedKey(keyOf(key), "")).toList();
    if (keys.isEmpty() && call.fields().has("keys")) {
      throw AdminProblem.wrongRequest("keys is empty; leave it out to drop all objects");
    }
    if (!keys.isEmpty() && (call.fields().has("prefix") || call.fields().has("after"))) {
      throw AdminProblem.wrongRequest("keys exclude prefix and after");
    }
    if (keys.size() > TargetRequest.PAGE_MAX) {
      throw AdminProblem.wrongRequest(
          "keys are " + keys.size() + ", must be at most " + TargetRequest.PAGE_MAX);
    }
    CallContext context =
        CallContext.foreground("evict-" + bucket.name(), Optional.of(call.user().id()));
    try {
      Evicted evicted =
          keys.isEmpty()
              ? eviction.step(
                  bucket,
                  call.fields().optionalText("prefix").orElse(""),
                  call.fields().optionalText("after").orElse(""),
                  context)
              : eviction.outdated(bucket, keys, context);
      JsonObject answer =
          new JsonObject()
              .put("evicted_objects", evicted.objects())
              .put("evicted_bytes", evicted.bytes());
      return AdminAnswer.ok(evicted.next().isEmpty() ? answer : answer.put("next", evicted.next()));
    } catch (S3Exception e) {
      throw AdminProblem.of(e);
    }
  }

  private static ObjectKey keyOf(String text) {
    try {
      return ObjectKey.of(text);
    } catch (IllegalArgumentException e) {
      throw AdminProblem.wrongRequest("a key is wrong: " + e.getMessage());
    }
  }

  /**
   * The place of a bucket's objects at the backend. It never changes during the life of a bucket.
   */
  private record Origin(Optional<URI> endpoint, String bucket, String prefix) {
    static Optional<Origin> of(BucketSettings settings) {
      return settings
          .backend()
          .map(backend -> new Origin(backend.endpoint(), backend.bucket(), backend.prefix()));
    }
  }

  private static BucketSettings changed(BucketSettings settings, Fields fields) {
    fields.allow(SettingsJson.fields());
    return SettingsJson.change(settings, fields);
  }

  private JsonObject document(Bucket bucket) {
    User owner = commands.state().user(bucket.ownerId());
    return new JsonObject()
        .put("name", bucket.name())
        .put("id", bucket.id().value())
        .put("owner", owner == null ? bucket.ownerId() : owner.name())
        .put("created", Instant.ofEpochMilli(bucket.createdMs()).toString())
        .put("version", bucket.settingsVersion())
        .put("settings", SettingsJson.write(bucket.settings()));
  }
}
