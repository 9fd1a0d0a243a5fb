package dev.tarn.sharder.plan;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.tar.TarLayout;
import dev.tarn.sharder.source.SourceFile;
import java.util.BitSet;
import java.util.List;

/**
 * What will be packed, down to each byte's place, before the first is read. The same files and
 * options give the same plan; it is immutable, and each of its shards can be written alone, so a
 * later run, or another machine, can take up any of them.
 *
 * <p>Members are numbered from 0 in the order of packing. There may be millions, so they are views
 * of a table, and not kept as objects.
 */
public final class PackPlan {
  private final PackOptions options;
  private final MemberTable table;

  /** The members' records in order. */
  private final int[] members;

  /** The numbers of the members that begin samples. */
  private final BitSet starts;

  private final List<PlannedShard> shards;
  private final Outside outside;
  private final long fileBytes;
  private final long largestSample;

  PackPlan(
      PackOptions options,
      MemberTable table,
      int[] members,
      BitSet starts,
      List<PlannedShard> shards,
      Outside outside) {
    this.options = requireNonNull(options, "options is null");
    this.table = requireNonNull(table, "table is null");
    this.members = requireNonNull(members, "members is null");
    this.starts = requireNonNull(starts, "starts is null");
    this.shards = List.copyOf(shards);
    this.outside = requireNonNull(outside, "outside is null");
    long bytes = 0;
    long largest = 0;
    for (int from = 0; from < members.length; from = sampleEnd(from)) {
      largest = Math.max(largest, sampleLength(from));
    }
    for (int member : members) {
      bytes += table.size(member);
    }
    fileBytes = bytes;
    largestSample = largest;
  }

  /** What it was made with. */
  public PackOptions options() {
    return options;
  }

  /** In order. */
  public List<PlannedShard> shards() {
    return shards;
  }

  /** The files that belong to no sample and are left out. */
  public Outside outside() {
    return outside;
  }

  /** How many files the shards have together. */
  public int files() {
    return members.length;
  }

  /** How many bytes the files have together. */
  public long fileBytes() {
    return fileBytes;
  }

  /** How many bytes the largest sample takes in its shard. */
  public long largestSample() {
    return largestSample;
  }

  /** A member. */
  public PlannedMember member(int number) {
    int member = members[number];
    return new PlannedMember(
        table.name(member),
        table.keyLength(member),
        table.extension(member),
        new SourceFile(MemberNames.decode(table.fileName(member)), table.size(member)));
  }

  /** The size of a member's file. */
  public long size(int number) {
    return table.size(members[number]);
  }

  /** The number of the member behind the last of the sample that begins with this one. */
  public int sampleEnd(int first) {
    int next = starts.nextSetBit(first + 1);
    return next < 0 ? members.length : next;
  }

  /** How many bytes the sample that begins with this member takes in its shard. */
  public long sampleLength(int first) {
    return length(table, members, first, sampleEnd(first));
  }

  /** How many bytes the names of some members have together. */
  public long nameBytes(int from, int to) {
    long bytes = 0;
    for (int i = from; i < to; i++) {
      bytes += table.nameLength(members[i]);
    }
    return bytes;
  }

  static long length(MemberTable table, int[] members, int from, int to) {
    long length = 0;
    for (int i = from; i < to; i++) {
      int member = members[i];
      long size = table.size(member);
      length +=
          TarLayout.isShort(table.nameLength(member), size)
              ? TarLayout.BLOCK + size + TarLayout.padding(size)
              : TarLayout.memberLength(table.name(member), size);
    }
    return length;
  }
}
