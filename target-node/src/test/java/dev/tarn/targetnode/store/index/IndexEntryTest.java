package dev.tarn.targetnode.store.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.codec.FieldWriter;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectVersion;
import dev.tarn.targetnode.store.log.RecordLocation;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.LogEntry.ObjectDeleted;
import dev.tarn.targetnode.store.record.LogEntryCodec;
import dev.tarn.targetnode.store.record.MalformedRecordException;
import dev.tarn.targetnode.store.record.RandomEntries;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class IndexEntryTest {
  private static final int ROUNDS = 20_000;
  private static final LogEntry TOMBSTONE =
      new ObjectDeleted(
          new ObjectName(new BucketId(7), ObjectKey.of("k")), new ObjectVersion(3, 4, 5));
  private static final RecordLocation AT = new RecordLocation(12, 64, 300, 8192, 0xFEDC_BA98);

  @Test
  void everyEntryComesBackAsItWent() {
    Random random = new Random(20_261_123);
    RandomEntries entries = new RandomEntries(20_261_123);
    for (int round = 0; round < ROUNDS; round++) {
      LogEntry entry = entries.next();
      IndexEntry expected = new IndexEntry(location(random), older(random), entry);
      byte[] bytes =
          IndexEntry.encode(expected.location(), expected.older(), LogEntryCodec.encode(entry));
      assertThat(IndexEntry.decode(bytes)).isEqualTo(expected);
      assertThat(IndexEntry.cancels(bytes)).isEqualTo(expected.cancels());
    }
  }

  private static RecordLocation location(Random random) {
    return new RecordLocation(
        1L + random.nextInt(1 << 20),
        random.nextLong(1L << 31),
        random.nextInt(1 << 22),
        random.nextBoolean() ? 0 : random.nextInt(1 << 18),
        random.nextBoolean() ? 0 : random.nextInt());
  }

  private static OlderRecords older(Random random) {
    long from = 1L + random.nextInt(1000);
    return random.nextBoolean()
        ? OlderRecords.NONE
        : new OlderRecords(from, from + random.nextInt(3));
  }

  @Test
  void bytesOfAnEntryStayAsTheyAre() {
    byte[] bytes = IndexEntry.encode(AT, new OlderRecords(2, 11), LogEntryCodec.encode(TOMBSTONE));
    assertThat(HexFormat.of().formatHex(bytes))
        .isEqualTo(
            "0801100c18402080402898f5f2f60f3002380b40ac024b170b080712016b001308031004"
                + "180500000000");
    assertThat(IndexEntry.decode(bytes))
        .isEqualTo(new IndexEntry(AT, new OlderRecords(2, 11), TOMBSTONE));
  }

  @Test
  void lengthIsThatOfTheRecordAlsoWhereTheEntryIsOnlyAMark() {
    byte[] mark = LogEntryCodec.encode(TOMBSTONE);
    assertThat(mark.length).isNotEqualTo(AT.entryLength());
    assertThat(IndexEntry.decode(IndexEntry.encode(AT, OlderRecords.NONE, mark)).location())
        .isEqualTo(AT);
  }

  @Test
  void segmentsOfOlderRecordsChangeWithoutTheEntry() {
    byte[] newer =
        new FieldWriter()
            .required(2)
            .encoded(
                2,
                new FieldWriter()
                    .encoded(
                        1, new FieldWriter().number(1, 7).bytes(2, new byte[] {'k'}).toMessage())
                    .encoded(
                        2, new FieldWriter().number(1, 3).number(2, 4).number(3, 5).toMessage())
                    .text(100, "of a newer release")
                    .toMessage())
            .toMessage();
    byte[] bytes = IndexEntry.encode(AT, OlderRecords.NONE, newer);
    byte[] changed = IndexEntry.withOlder(bytes, new OlderRecords(3, 4));
    assertThat(changed).isEqualTo(IndexEntry.encode(AT, new OlderRecords(3, 4), newer));
    assertThat(IndexEntry.decode(changed))
        .isEqualTo(new IndexEntry(AT, new OlderRecords(3, 4), TOMBSTONE));
  }

  @Test
  void damagedBytesAreRefusedByNameOrAnEntryThatCanBeWritten() {
    Random random = new Random(5);
    RandomEntries entries = new RandomEntries(5);
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes =
          IndexEntry.encode(location(random), older(random), LogEntryCodec.encode(entries.next()));
      if (random.nextInt(4) == 0) {
        bytes = Arrays.copyOf(bytes, random.nextInt(2 * bytes.length));
      }
      for (int i = random.nextInt(4); i >= 0 && bytes.length > 0; i--) {
        bytes[random.nextInt(Math.min(bytes.length, 40))] = (byte) random.nextInt();
      }
      try {
        IndexEntry entry = IndexEntry.decode(bytes);
        byte[] again =
            IndexEntry.encode(entry.location(), entry.older(), LogEntryCodec.encode(entry.entry()));
        assertThat(IndexEntry.decode(again)).isEqualTo(entry);
      } catch (MalformedRecordException declared) {
        assertThat(declared).hasMessageStartingWith("index entry: ");
      }
    }
  }

  @Test
  void fieldsBehindTheEntryAreSkippedUnlessTheyAreRequired() {
    assertThat(IndexEntry.decode(withFields(out -> out.number(10, 5))).entry())
        .isEqualTo(TOMBSTONE);
    assertRefused(
        withFields(out -> out.required(10).number(10, 5)),
        "field 10 is required and not known to this release");
    byte[] longer = Arrays.copyOf(withFields(out -> {}), 200);
    assertRefused(longer, "bytes follow the message");
  }

  @Test
  void numbersOutOfRangeAreRefused() {
    assertRefused(encoded(12, -1, 0, 5), "record in segment 12 at -1 has lengths 300 and 0");
    assertRefused(
        encoded(12, 64, 1L << 32, 5), "field 5 is 4294967296, must fit 32 bits without a sign");
    assertRefused(encoded(12, 64, 0, 1), "older records are in segments 5 to 1");
  }

  private static byte[] encoded(long segment, long offset, long payloadCrc, long olderTo) {
    return new FieldWriter()
        .number(2, segment)
        .number(3, offset)
        .number(5, payloadCrc)
        .number(6, 5)
        .number(7, olderTo)
        .number(8, 300)
        .encoded(9, LogEntryCodec.encode(TOMBSTONE))
        .toMessage();
  }

  private static byte[] withFields(Consumer<FieldWriter> fields) {
    FieldWriter out = new FieldWriter().number(2, 12).number(3, 64).number(8, 300);
    fields.accept(out.encoded(9, LogEntryCodec.encode(TOMBSTONE)));
    return out.toMessage();
  }

  private static void assertRefused(byte[] bytes, String problem) {
    assertThatThrownBy(() -> IndexEntry.decode(bytes))
        .isInstanceOf(MalformedRecordException.class)
        .hasMessageStartingWith("index entry: ")
        .hasMessageContaining(problem);
  }
}
