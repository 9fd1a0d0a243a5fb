package dev.tarn.sharder.plan;

import dev.tarn.sharder.sort.ByteCursor;
import dev.tarn.sharder.sort.ExternalSort;
import dev.tarn.sharder.sort.GrowingBytes;
import dev.tarn.sharder.sort.SortedRecords;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Gives each sample the place of its first member, and sorts the samples by place. */
final class SourceOrder {
  private final ExternalSort sort;
  private final GrowingBytes record = new GrowingBytes();
  private final List<Member> members = new ArrayList<>();
  private final SampleBounds bounds = new SampleBounds();
  private byte[] key = new byte[0];
  private int set;
  private long place;

  @SuppressWarnings("ArrayRecordComponent")
  private record Member(byte[] extension, long place, byte[] payload) {}

  private SourceOrder(ExternalSort sort) {
    this.sort = sort;
  }

  /**
   * Sorts records that arrive in the order of keys.
   *
   * @param sort receives them, and returns them in the sources' order
   */
  static SortedRecords of(SortedRecords records, ExternalSort sort) throws IOException {
    SourceOrder order = new SourceOrder(sort);
    ByteCursor cursor = new ByteCursor();
    while (records.next()) {
      cursor.set(records.array(), records.offset(), records.length());
      order.add(cursor);
    }
    order.flush();
    return sort.sorted();
  }

  private void add(ByteCursor cursor) throws IOException {
    int itsSet = cursor.takeShort();
    byte[] itsKey = cursor.takeToZero();
    byte[] extension = cursor.takeToZero();
    long itsPlace = cursor.takeLong();
    if (!Arrays.equals(key, itsKey)) {
      flush();
      key = itsKey;
      set = itsSet;
      place = itsPlace;
    }
    place = Math.min(place, itsPlace);
    // One member above the limit is passed on, so that SampleAssembly rejects the sample.
    if (!bounds.areExceeded()) {
      Member member = new Member(extension, itsPlace, cursor.takeRest());
      bounds.add(member.extension, member.payload);
      members.add(member);
    }
  }

  private void flush() throws IOException {
    for (Member member : members) {
      SampleRecord.putPlaced(
          record, set, place, key, member.extension, member.place, member.payload);
      sort.add(record.array(), record.length());
    }
    members.clear();
    bounds.clear();
  }
}
