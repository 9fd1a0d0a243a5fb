package dev.tarn.cluster.control;

import static dev.tarn.cluster.control.StateTables.table;
import static dev.tarn.cluster.control.ValueFields.readAll;
import static dev.tarn.cluster.control.ValueFields.readText;
import static dev.tarn.cluster.control.ValueFields.writeAll;
import static dev.tarn.cluster.control.ValueFields.writeText;

import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.object.BucketId;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A snapshot: counters, then users, keys and buckets, and since format 2 the cluster's id, the
 * announced targets and the map, and since format 3 the configurations of those buckets that have
 * one; each in the state's own order.
 */
final class SnapshotFields {
  private SnapshotFields() {}

  static void write(DataOutputStream out, AppliedState state) throws IOException {
    out.writeLong(state.version());
    out.writeLong(state.tables().nextBucketId());
    writeAll(out, state.users(), ValueFields::writeUser);
    writeAll(out, state.accessKeys(), ValueFields::writeAccessKey);
    writeAll(out, state.buckets(), SnapshotFields::writeBucket);
    writeText(out, state.clusterId().orElse(""));
    writeAll(out, state.announced(), MapFields::writeAnnounced);
    out.writeBoolean(state.map().isPresent());
    if (state.map().isPresent()) {
      MapFields.writeMap(out, state.map().orElseThrow());
    }
    writeAll(
        out,
        state.buckets().stream()
            .filter(bucket -> !bucket.configuration().equals(BucketConfiguration.NONE))
            .toList(),
        SnapshotFields::writeConfiguration);
  }

  static ControlState read(DataInputStream in, int formatVersion) throws IOException {
    long version = in.readLong();
    long nextBucketId = in.readLong();
    List<User> users = readAll(in, ValueFields::readUser);
    List<AccessKey> accessKeys = readAll(in, ValueFields::readAccessKey);
    List<Bucket> plainBuckets = readAll(in, SnapshotFields::readBucket);
    boolean hasCluster = formatVersion >= ControlCodec.FIRST_VERSION_WITH_CLUSTER;
    String clusterId = hasCluster ? readText(in) : "";
    List<AnnouncedTarget> announced =
        hasCluster ? readAll(in, MapFields::readAnnounced) : List.of();
    Optional<ClusterMap> map =
        hasCluster && in.readBoolean() ? Optional.of(MapFields.readMap(in)) : Optional.empty();
    List<Bucket> buckets =
        formatVersion >= ControlCodec.FIRST_VERSION_WITH_CONFIGURATIONS
            ? configured(plainBuckets, in)
            : plainBuckets;
    return new AppliedState(
        version,
        new StateTables(
            clusterId.isEmpty() ? Optional.empty() : Optional.of(clusterId),
            nextBucketId,
            table(buckets, Bucket::name),
            table(users, User::name),
            table(accessKeys, AccessKey::id),
            table(announced, AnnouncedTarget::id),
            map));
  }

  private static void writeBucket(DataOutputStream out, Bucket bucket) throws IOException {
    out.writeLong(bucket.id().value());
    writeText(out, bucket.name());
    writeText(out, bucket.ownerId());
    out.writeLong(bucket.createdMs());
    out.writeLong(bucket.settingsVersion());
    ValueFields.writeSettings(out, bucket.settings());
  }

  private static Bucket readBucket(DataInputStream in) throws IOException {
    return new Bucket(
        new BucketId(in.readLong()),
        readText(in),
        readText(in),
        in.readLong(),
        in.readLong(),
        ValueFields.readSettings(in),
        BucketConfiguration.NONE);
  }

  private static void writeConfiguration(DataOutputStream out, Bucket bucket) throws IOException {
    out.writeLong(bucket.id().value());
    ConfigurationFields.write(out, bucket.configuration());
  }

  private record Configured(BucketId bucket, BucketConfiguration configuration) {
    static Configured read(DataInputStream in) throws IOException {
      return new Configured(new BucketId(in.readLong()), ConfigurationFields.read(in));
    }
  }

  private static List<Bucket> configured(List<Bucket> buckets, DataInputStream in)
      throws IOException {
    Map<BucketId, BucketConfiguration> configurations = new HashMap<>();
    for (Configured configured : readAll(in, Configured::read)) {
      configurations.put(configured.bucket(), configured.configuration());
    }
    return buckets.stream()
        .map(bucket ->
            bucket.with(
                configurations.getOrDefault(bucket.id(), BucketConfiguration.NONE),
                bucket.settingsVersion()))
        .toList();
  }
}
