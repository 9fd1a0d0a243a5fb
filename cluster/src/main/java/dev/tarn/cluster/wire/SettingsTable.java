package dev.tarn.cluster.wire;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toMap;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.ControlCodec;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.object.BucketId;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/**
 * What targets know of the control state: how each bucket keeps its objects, and neither users nor
 * keys. The bytes hold the secrets of backends; the text form does not.
 *
 * @param version of the control state that it was taken from; 0 for the empty table
 * @param buckets the settings of every bucket that there is
 */
public record SettingsTable(long version, Map<BucketId, BucketSettings> buckets) {
  /** What a target that was never told anything knows. */
  public static final SettingsTable EMPTY = new SettingsTable(0, Map.of());

  /** The greatest number of bytes of an encoded table. */
  public static final int BYTES_MAX = 16 << 20;

  private static final int FORMAT_VERSION = 1;

  public SettingsTable {
    if (version < 0) {
      throw new IllegalArgumentException("version of a settings table is " + version);
    }
    buckets = Map.copyOf(requireNonNull(buckets, "buckets is null"));
  }

  /** The settings of this state. */
  public static SettingsTable of(ControlState state) {
    return new SettingsTable(
        state.version(), state.buckets().stream().collect(toMap(Bucket::id, Bucket::settings)));
  }

  /**
   * The table as bytes, the same bytes for the same table.
   *
   * @throws IllegalArgumentException if they are more than {@link #BYTES_MAX}
   */
  public byte[] encode() {
    WireWriter out = new WireWriter();
    out.writeByte(FORMAT_VERSION);
    out.writeInt(ControlCodec.FORMAT_VERSION);
    out.writeLong(version);
    out.writeAll(
        buckets.keySet().stream().sorted(Comparator.comparingLong(BucketId::value)).toList(),
        this::writeBucket);
    byte[] bytes = out.toByteArray();
    if (bytes.length > BYTES_MAX) {
      throw new IllegalArgumentException(
          "the settings of "
              + buckets.size()
              + " buckets have "
              + bytes.length
              + " bytes, at most "
              + BYTES_MAX
              + " can be published");
    }
    return bytes;
  }

  private void writeBucket(WireWriter out, BucketId id) {
    out.writeLong(id.value());
    out.writeBytes(ControlCodec.encode(requireNonNull(buckets.get(id), "no such bucket")));
  }

  /** The table that {@link #encode} wrote. */
  public static SettingsTable decode(byte[] bytes) throws WireException {
    if (bytes.length > BYTES_MAX) {
      throw new WireException(
          "settings table has " + bytes.length + " bytes, at most " + BYTES_MAX);
    }
    WireReader in = new WireReader(bytes);
    expect(in, "format version of a settings table", in.readByte(), FORMAT_VERSION);
    expect(in, "format version of settings", in.readInt(), ControlCodec.FORMAT_VERSION);
    long version = in.readLong();
    Map<BucketId, BucketSettings> buckets = new HashMap<>();
    for (Map.Entry<BucketId, BucketSettings> bucket : in.readAll(SettingsTable::readBucket)) {
      if (buckets.put(bucket.getKey(), bucket.getValue()) != null) {
        throw in.at("bucket " + bucket.getKey().value() + " comes twice");
      }
    }
    in.expectEnd();
    if (version < 0) {
      throw in.at("version of a settings table is " + version);
    }
    return new SettingsTable(version, buckets);
  }

  private static Map.Entry<BucketId, BucketSettings> readBucket(WireReader in)
      throws WireException {
    try {
      return Map.entry(new BucketId(in.readLong()), ControlCodec.decodeSettings(in.readBytes()));
    } catch (IOException | IllegalArgumentException malformed) {
      throw new WireException("settings of a bucket: " + malformed.getMessage(), malformed);
    }
  }

  private static void expect(WireReader in, String what, int found, int known)
      throws WireException {
    if (found != known) {
      throw in.at(what + " is " + found + ", known here is " + known);
    }
  }
}
