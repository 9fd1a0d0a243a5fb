package dev.tarn.cluster.control;

import static dev.tarn.cluster.control.ValueFields.readText;
import static dev.tarn.cluster.control.ValueFields.writeText;

import dev.tarn.cluster.object.BucketId;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** A snapshot: counters, then users, keys and buckets, each in the state's own order. */
final class SnapshotFields {
  private SnapshotFields() {}

  static void write(DataOutputStream out, AppliedState state) throws IOException {
    out.writeLong(state.version());
    out.writeLong(state.nextBucketId().value());
    writeAll(out, state.users(), ValueFields::writeUser);
    writeAll(out, state.accessKeys(), ValueFields::writeAccessKey);
    writeAll(out, state.buckets(), SnapshotFields::writeBucket);
  }

  static ControlState read(DataInputStream in) throws IOException {
    long version = in.readLong();
    long nextBucketId = in.readLong();
    List<User> users = readAll(in, ValueFields::readUser);
    List<AccessKey> accessKeys = readAll(in, ValueFields::readAccessKey);
    List<Bucket> buckets = readAll(in, SnapshotFields::readBucket);
    return AppliedState.of(version, nextBucketId, buckets, users, accessKeys);
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
        ValueFields.readSettings(in));
  }

  private interface ItemWriter<T> {
    void write(DataOutputStream out, T item) throws IOException;
  }

  private interface ItemReader<T> {
    T read(DataInputStream in) throws IOException;
  }

  private static <T> void writeAll(DataOutputStream out, Collection<T> items, ItemWriter<T> writer)
      throws IOException {
    out.writeInt(items.size());
    for (T item : items) {
      writer.write(out, item);
    }
  }

  private static <T> List<T> readAll(DataInputStream in, ItemReader<T> reader) throws IOException {
    int count = in.readInt();
    if (count < 0) {
      throw new IOException("count is " + count + ", must not be negative");
    }
    List<T> items = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      items.add(reader.read(in));
    }
    return items;
  }
}
