package dev.tarn.sharder.diff;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.sort.ExternalSort;
import dev.tarn.sharder.sort.SortSpace;
import dev.tarn.sharder.sort.SortedRecords;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The samples of both datasets in an external sort by key. A sample with the same key and digest on
 * both sides is the same; with only the same key, it was changed.
 */
final class KeyedSamples implements AutoCloseable {
  private static final int DIGEST_BYTES = 32;

  /** Receives the samples that differ. */
  interface Rest {
    void changed(String key) throws IOException;

    /** Receives a sample whose key the other side does not have, or has fewer times. */
    void alone(Side side, byte[] digest, String key) throws IOException;
  }

  private final ExternalSort sort;
  private final List<byte[]> oldAlone = new ArrayList<>();
  private final List<byte[]> newAlone = new ArrayList<>();
  private long same;

  KeyedSamples(SortSpace space) {
    sort = new ExternalSort(space);
  }

  /** Adds a sample. Thread-safe until {@link #compare}. */
  synchronized void add(Side side, String key, byte[] digest) throws IOException {
    byte[] name = MemberNames.encode(key);
    ByteBuffer record = ByteBuffer.allocate(name.length + 1 + DIGEST_BYTES + 1);
    record.put(name).put((byte) 0).put(digest).put(side.mark());
    sort.add(record.array(), record.position());
  }

  /**
   * Compares both sides. Must be called once, after the last {@link #add}.
   *
   * @return the number of samples that are the same
   */
  long compare(Rest rest) throws IOException {
    SortedRecords records = sort.sorted();
    byte[] key = {};
    while (records.next()) {
      int end = records.offset() + records.length();
      int digestStart = end - 1 - DIGEST_BYTES;
      byte[] nextKey = Arrays.copyOfRange(records.array(), records.offset(), digestStart - 1);
      byte[] digest = Arrays.copyOfRange(records.array(), digestStart, end - 1);
      boolean isOld = records.array()[end - 1] == Side.OLD.mark();
      if (!Arrays.equals(key, nextKey)) {
        finish(key, rest);
        key = nextKey;
      }
      boolean matches = !isOld && !oldAlone.isEmpty() && Arrays.equals(oldAlone.getLast(), digest);
      // For equal digests, the old side's records come first.
      if (matches) {
        oldAlone.removeLast();
        same++;
      } else {
        (isOld ? oldAlone : newAlone).add(digest);
      }
    }
    finish(key, rest);
    return same;
  }

  /** Finishes a key. Remaining samples on both sides were changed; their pairing is unknown. */
  private void finish(byte[] keyBytes, Rest rest) throws IOException {
    String key = MemberNames.decode(keyBytes);
    int changed = Math.min(oldAlone.size(), newAlone.size());
    for (int i = 0; i < changed; i++) {
      rest.changed(key);
    }
    for (byte[] digest : oldAlone.subList(changed, oldAlone.size())) {
      rest.alone(Side.OLD, digest, key);
    }
    for (byte[] digest : newAlone.subList(changed, newAlone.size())) {
      rest.alone(Side.NEW, digest, key);
    }
    oldAlone.clear();
    newAlone.clear();
  }

  @Override
  public void close() throws IOException {
    sort.close();
  }
}
