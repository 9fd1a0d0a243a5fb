package dev.tarn.targetnode.store.residents;

/** The residents of a stripe whose sizes are alike, densely, so that one can be drawn. */
final class ResidentClass {
  private static final int RECORD_BYTES = 28;
  private static final int ID = 0;
  private static final int LAST = 8;
  private static final int TICKS = 12;
  private static final int BYTES = 16;
  private static final int BUCKET_AND_INTERVALS = 20;
  private static final int SEGMENT = 24;
  private static final int INTERVAL_BITS = 3;
  private static final int CAPACITY_MIN = 8;

  private OffHeapRecords records = new OffHeapRecords(CAPACITY_MIN, RECORD_BYTES);
  private int count;
  private long bytes;

  int count() {
    return count;
  }

  /** The sum of the sizes. */
  long bytes() {
    return bytes;
  }

  long memoryBytes() {
    return records.bytes();
  }

  /** Appends a resident and returns its place. */
  int add(Resident resident) {
    if (count == records.capacity()) {
      resize(count + Math.max(CAPACITY_MIN, count / 4));
    }
    records.setLong(count, ID, resident.id());
    records.setInt(count, BYTES, resident.bytes());
    records.setInt(count, SEGMENT, resident.segment());
    bytes += resident.bytes();
    count++;
    set(count - 1, resident.bucket(), resident.use());
    return count - 1;
  }

  private void resize(int capacity) {
    OffHeapRecords resized = new OffHeapRecords(capacity, RECORD_BYTES);
    records.copyTo(resized, count);
    records = resized;
  }

  long id(int place) {
    return records.getLong(place, ID);
  }

  Resident get(int place) {
    int packed = records.getInt(place, BUCKET_AND_INTERVALS);
    return new Resident(
        id(place),
        records.getInt(place, BYTES),
        records.getInt(place, SEGMENT),
        packed >>> INTERVAL_BITS,
        new Use(
            records.getInt(place, LAST),
            packed & (Use.INTERVALS_MAX - 1),
            records.getInt(place, TICKS)));
  }

  /** Records how a resident is used, and by which bucket. */
  void set(int place, int bucket, Use use) {
    records.setInt(place, LAST, use.last());
    records.setInt(place, TICKS, use.ticks());
    records.setInt(place, BUCKET_AND_INTERVALS, (bucket << INTERVAL_BITS) | use.intervals());
  }

  /** Removes a resident; the last one, if there is another, takes its place. */
  void remove(int place) {
    bytes -= records.getInt(place, BYTES);
    count--;
    if (place != count) {
      records.copy(count, place);
    }
    if (count < records.capacity() / 2 && records.capacity() > CAPACITY_MIN) {
      resize(Math.max(CAPACITY_MIN, count + count / 4));
    }
  }
}
