package dev.tarn.sharder.inspect;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.shard.ShardPlace;
import dev.tarn.sharder.sort.ExternalSort;
import dev.tarn.sharder.sort.SortSpace;
import dev.tarn.sharder.sort.SortedRecords;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files of all shards in an external sort, which detects files that several shards have. Shards
 * are unpacked in parallel, so the content of such a file would be random. Thread-safe until {@link
 * #compare}.
 */
public final class UnpackedNames implements AutoCloseable {
  private final Map<ShardPlace, Integer> numbers = new LinkedHashMap<>();
  private final @Nullable ExternalSort sort;

  /**
   * @param shards the shards that are unpacked
   * @param space for sorting the names; a single shard needs none
   */
  public UnpackedNames(List<ShardPlace> shards, SortSpace space) {
    for (ShardPlace shard : shards) {
      numbers.putIfAbsent(shard, numbers.size());
    }
    sort = numbers.size() > 1 ? new ExternalSort(space) : null;
  }

  /**
   * Adds a file of a shard; names that are too long to sort are also too long for any file system.
   */
  void add(ShardPlace shard, String file) throws IOException {
    if (sort == null) {
      return;
    }
    byte[] name = MemberNames.encode(file);
    int length = name.length + 1 + Integer.BYTES;
    if (length <= ExternalSort.LONGEST_RECORD) {
      int number = numbers.getOrDefault(shard, 0);
      byte[] record = ByteBuffer.allocate(length).put(name).put((byte) 0).putInt(number).array();
      synchronized (this) {
        sort.add(record, length);
      }
    }
  }

  /**
   * Compares all files. Must be called once, after the last {@link #add}.
   *
   * @throws IOException if two shards have the same file
   */
  public void compare() throws IOException {
    if (sort == null) {
      return;
    }
    List<ShardPlace> shards = List.copyOf(numbers.keySet());
    SortedRecords records = sort.sorted();
    byte[] before = {};
    int shardBefore = 0;
    while (records.next()) {
      int end = records.offset() + records.length() - 1 - Integer.BYTES;
      byte[] name = Arrays.copyOfRange(records.array(), records.offset(), end);
      int shard = ByteBuffer.wrap(records.array()).getInt(end + 1);
      if (shard != shardBefore && Arrays.equals(name, before)) {
        throw new IOException(
            "%s is in %s and in %s; unpack the two into different folders"
                .formatted(
                    MemberNames.printable(MemberNames.decode(name)),
                    shards.get(shardBefore),
                    shards.get(shard)));
      }
      before = name;
      shardBefore = shard;
    }
  }

  @Override
  public void close() throws IOException {
    if (sort != null) {
      sort.close();
    }
  }
}
