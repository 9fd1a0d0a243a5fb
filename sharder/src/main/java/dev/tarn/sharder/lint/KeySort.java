package dev.tarn.sharder.lint;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.shard.ShardPlace;
import dev.tarn.sharder.sort.ExternalSort;
import dev.tarn.sharder.sort.SortSpace;
import dev.tarn.sharder.sort.SortedRecords;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.text.Normalizer;
import java.util.List;
import java.util.Locale;

/**
 * The keys of all shards in an external sort, which brings equal and similar keys together.
 * Thread-safe until {@link #compare}.
 */
final class KeySort implements AutoCloseable {
  /** Longer keys are not compared: duplicates of them are unlikely. */
  private static final int KEY_CHARACTERS_MAX = 1024;

  /** Also the limit of a key whose characters are composed: that makes at most 6 bytes of one. */
  private static final int KEY_BYTES_MAX = 6 * KEY_CHARACTERS_MAX;

  private static final byte WHOLE = 1;
  private static final byte BASENAME = 2;

  private final ExternalSort sort;
  private final ByteBuffer record =
      ByteBuffer.allocate(3 + 3 * KEY_BYTES_MAX + Integer.BYTES + Long.BYTES);

  KeySort(SortSpace space) {
    sort = new ExternalSort(space);
  }

  /**
   * Adds a sample.
   *
   * @param shard its shard's number
   * @param sample its number in the shard
   */
  synchronized void add(String key, int shard, long sample) throws IOException {
    if (key.length() > KEY_CHARACTERS_MAX || key.indexOf('\0') >= 0) {
      return;
    }
    byte[] bytes = MemberNames.encode(key);
    record.clear().put(WHOLE).put(MemberNames.encode(folded(key))).put((byte) 0);
    record.put(bytes).put((byte) 0).putInt(shard).putLong(sample);
    sort.add(record.array(), record.position());
    int slash = key.lastIndexOf('/');
    record.clear().put(BASENAME).put(MemberNames.encode(key.substring(slash + 1))).put((byte) 0);
    record.putInt(shard).putLong(sample).put(bytes);
    sort.add(record.array(), record.position());
  }

  /** Returns what keys have in common that some file systems do not keep apart. */
  private static String folded(String key) {
    return composed(key).toLowerCase(Locale.ROOT);
  }

  private static String composed(String key) {
    return Normalizer.normalize(key, Normalizer.Form.NFC);
  }

  /** Finds equal and similar keys. Must be called once, after the last {@link #add}. */
  Findings compare(List<ShardPlace> shards) throws IOException {
    Findings findings = new Findings();
    SortedRecords records = sort.sorted();
    Entry before = null;
    while (records.next()) {
      Entry entry = Entry.of(records);
      if (before != null && before.group().equals(entry.group())) {
        compare(before, entry, shards, findings);
      }
      before = entry;
    }
    return findings;
  }

  private static void compare(
      Entry before, Entry entry, List<ShardPlace> shards, Findings findings) {
    String here = MemberNames.printable(entry.key()) + " in " + shards.get(entry.shard());
    String there = MemberNames.printable(before.key()) + " in " + shards.get(before.shard());
    String both = here + ", " + there;
    boolean sameShard = before.shard() == entry.shard();
    if (entry.kind() == BASENAME) {
      if (sameShard && !before.key().equals(entry.key())) {
        findings.addAcross(Finding.BASENAME_COLLISION, both);
      }
    } else if (!before.key().equals(entry.key())) {
      boolean sameComposed = composed(before.key()).equals(composed(entry.key()));
      findings.addAcross(sameComposed ? Finding.UNICODE_COLLISION : Finding.CASE_COLLISION, both);
    } else if (sameShard) {
      findings.addAcross(Finding.NOT_ADJACENT, here);
    } else {
      findings.addAcross(Finding.DUPLICATE_KEY, both);
    }
  }

  /**
   * A sorted record.
   *
   * @param group the common part of records that are compared
   */
  private record Entry(byte kind, String group, String key, int shard, long sample) {
    static Entry of(SortedRecords records) {
      ByteBuffer bytes = ByteBuffer.wrap(records.array(), records.offset(), records.length());
      byte kind = bytes.get();
      String group = untilNul(bytes);
      if (kind == WHOLE) {
        String key = untilNul(bytes);
        return new Entry(kind, group, key, bytes.getInt(), bytes.getLong());
      }
      int shard = bytes.getInt();
      long sample = bytes.getLong();
      byte[] key = new byte[bytes.remaining()];
      bytes.get(key);
      return new Entry(kind, group, MemberNames.decode(key), shard, sample);
    }

    private static String untilNul(ByteBuffer bytes) {
      int start = bytes.position();
      while (bytes.get() != 0) {
        // up to the NUL, which names never have
      }
      return MemberNames.decode(
          bytes.array(), bytes.arrayOffset() + start, bytes.position() - 1 - start);
    }
  }

  @Override
  public void close() throws IOException {
    sort.close();
  }
}
