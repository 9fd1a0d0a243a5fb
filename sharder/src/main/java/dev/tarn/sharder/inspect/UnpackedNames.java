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
 * The files of all shards, sorted outside of memory, so that those meet that several shards have:
 * shards are unpacked side by side, and whose file is there in the end is chance. For use by many
 * threads at once until they are compared.
 */
public final class UnpackedNames implements AutoCloseable {
  private final Map<ShardPlace, Integer> numbers = new LinkedHashMap<>();
  private final @Nullable ExternalSort sort;

  /**
   * @param shards which are unpacked
   * @param space for the names; those of a single shard need none
   */
  public UnpackedNames(List<ShardPlace> shards, SortSpace space) {
    for (ShardPlace shard : shards) {
      numbers.putIfAbsent(shard, numbers.size());
    }
    sort = numbers.size() > 1 ? new ExternalSort(space) : null;
  }

  /** Adds a file of a shard; no file system takes longer names than can be sorted. */
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
   * Compares them; once, at the end.
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
            "%s is in %s and in %s, and whose is there is chance: unpack them into folders of their own"
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
