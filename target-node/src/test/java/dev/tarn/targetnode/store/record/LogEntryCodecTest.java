package dev.tarn.targetnode.store.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.codec.FieldWriter;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.object.ObjectVersion;
import dev.tarn.cluster.object.Origin;
import dev.tarn.targetnode.store.record.LogEntry.ObjectDeleted;
import dev.tarn.targetnode.store.record.LogEntry.ObjectStored;
import dev.tarn.targetnode.store.record.LogEntry.PartStored;
import dev.tarn.targetnode.store.record.LogEntry.UploadAborted;
import dev.tarn.targetnode.store.record.LogEntry.UploadCreated;
import dev.tarn.targetnode.store.record.LogEntry.VersionDeleted;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class LogEntryCodecTest {
  private static final int ROUNDS = 20_000;
  private static final ObjectName NAME = new ObjectName(new BucketId(7), ObjectKey.of("a/b"));
  private static final ObjectVersion VERSION = new ObjectVersion(3, 1_700_000_000_000L, 5);
  private static final ObjectChecksum CHECKSUM =
      new ObjectChecksum(ChecksumAlgorithm.SHA256, ChecksumType.COMPOSITE, "c");
  private static final ObjectAttributes ATTRIBUTES =
      new ObjectAttributes(Map.of("content-type", "a/b"), Map.of("m", "1"), Map.of("t", ""));
  private static final ObjectPart PART = new ObjectPart(2, 300, "e", List.of(CHECKSUM), 99);
  private static final LogEntry STORED =
      new ObjectStored(
          new ObjectRecord(
              new ObjectMetadata(
                  NAME,
                  VERSION,
                  true,
                  false,
                  303,
                  "etag",
                  List.of(CHECKSUM),
                  ATTRIBUTES,
                  1_700_000_000_001L,
                  List.of(PART),
                  new Origin("o", "v", 6, 0)),
              new StoredRevision(3, 2),
              "up",
              List.of(
                  new Piece.ExtentRange(0x0123_4567_89AB_CDEFL, 4, 300, 0xFEDC_BA98),
                  new Piece.CachedUnits(3))));

  @Test
  void everyEntryComesBackAsItWent() {
    RandomEntries entries = new RandomEntries(20_261_123);
    Set<Class<?>> kinds = new HashSet<>();
    for (int round = 0; round < ROUNDS; round++) {
      LogEntry entry = entries.next();
      byte[] bytes = LogEntryCodec.encode(entry);
      assertThat(LogEntryCodec.decode(bytes)).isEqualTo(entry);
      assertThat(LogEntryCodec.encode(LogEntryCodec.decode(bytes))).isEqualTo(bytes);
      kinds.add(entry.getClass());
    }
    assertThat(kinds).containsExactlyInAnyOrder(LogEntry.class.getPermittedSubclasses());
  }

  @Test
  void bytesOfTheEntriesStayAsTheyAre() {
    assertBytes(
        STORED,
        "0f0b0b08071203612f62001308031080d095ffbc31180500180128af023204657461673b"
            + "080410001a016300430a0c636f6e74656e742d747970650a03612f6212016d1201311a01"
            + "741a00004881d095ffbc3153080210ac021a016523080410001a0163002863005b0a016f"
            + "120176180600001308031002001a0275702317090123456789abcdef100418ac022098f5"
            + "f2f60f00002337080300000000");
    assertBytes(
        new ObjectStored(
            ObjectRecord.first(
                new ObjectMetadata(
                    NAME,
                    new ObjectVersion(0, 1, 0),
                    false,
                    false,
                    5,
                    "",
                    List.of(),
                    ObjectAttributes.NONE,
                    2,
                    List.of(),
                    null),
                "",
                List.of(new Piece.Inline(5)))),
        "0f0b0b08071203612f620013080010010028053200430048020013080000230f08050000" + "0000");
    assertBytes(
        new ObjectDeleted(NAME, VERSION), "170b08071203612f62001308031080d095ffbc311805000000");
    assertBytes(
        new UploadCreated(
            new UploadRecord(
                NAME,
                "up",
                5,
                ObjectAttributes.NONE,
                Optional.of(ChecksumAlgorithm.CRC64NVME),
                Optional.of(ChecksumType.FULL_OBJECT),
                "me")),
        "1f0b08071203612f62001202757018052300280230013a026d650000");
    assertBytes(
        new PartStored(
            NAME,
            new PartRecord(
                "up",
                new StoredRevision(1, 0),
                PART,
                List.of(new Piece.ExtentRange(1, 0, 300, 0)))),
        "270b08071203612f6200130a027570130801001b080210ac021a016523080410001a0163"
            + "00286300231709000000000000000118ac0220000000000000");
    assertBytes(new UploadAborted(NAME, "up"), "2f0b08071203612f6200120275700000");
    assertBytes(
        new VersionDeleted(NAME, VERSION), "370b08071203612f62001308031080d095ffbc311805000000");
  }

  private static void assertBytes(LogEntry entry, String hex) {
    byte[] bytes = LogEntryCodec.encode(entry);
    assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(hex);
    assertThat(LogEntryCodec.decode(HexFormat.of().parseHex(hex))).isEqualTo(entry);
  }

  @Test
  void codesOfAlgorithmsAreComplete() {
    for (ChecksumAlgorithm algorithm : EnumSet.allOf(ChecksumAlgorithm.class)) {
      ObjectChecksum checksum = new ObjectChecksum(algorithm, ChecksumType.FULL_OBJECT, "c");
      LogEntry entry =
          new PartStored(
              NAME,
              new PartRecord(
                  "up",
                  new StoredRevision(0, 0),
                  new ObjectPart(1, 0, "e", List.of(checksum), 0),
                  List.of()));
      assertThat(LogEntryCodec.decode(LogEntryCodec.encode(entry))).isEqualTo(entry);
    }
  }

  @Test
  void onlyTombstonesAndEndsOfUploadsCancel() {
    RandomEntries entries = new RandomEntries(3);
    for (int round = 0; round < 200; round++) {
      LogEntry entry = entries.next();
      assertThat(LogEntryCodec.cancels(LogEntryCodec.encode(entry)))
          .isEqualTo(
              entry instanceof ObjectDeleted
                  || entry instanceof VersionDeleted
                  || entry instanceof UploadAborted);
    }
  }

  @Test
  void damagedBytesAreRefusedByNameOrAnEntryThatCanBeWritten() {
    Random random = new Random(5);
    RandomEntries entries = new RandomEntries(5);
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = LogEntryCodec.encode(entries.next());
      if (random.nextInt(4) == 0) {
        bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
      }
      for (int i = random.nextInt(4); i >= 0 && bytes.length > 0; i--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        LogEntry entry = LogEntryCodec.decode(bytes);
        assertThat(LogEntryCodec.decode(LogEntryCodec.encode(entry))).isEqualTo(entry);
      } catch (MalformedRecordException declared) {
        assertThat(declared).hasMessageStartingWith("LogEntry: ");
      }
    }
  }

  @Test
  void checksumOfATableThatPassesThirtyTwoBitsIsRefused() {
    FieldWriter piece = new FieldWriter().bits(1, 1).number(3, 5).number(4, 1L << 32);
    byte[] range = new FieldWriter().required(2).encoded(2, piece.toMessage()).toMessage();
    byte[] part =
        new FieldWriter()
            .text(1, "up")
            .encoded(2, new FieldWriter().number(1, 0).toMessage())
            .encoded(
                3, new FieldWriter().number(1, 1).number(2, 5).text(3, "").number(5, 0).toMessage())
            .encoded(4, range)
            .toMessage();
    byte[] name = new FieldWriter().number(1, 7).bytes(2, new byte[] {'k'}).toMessage();
    byte[] stored = new FieldWriter().encoded(1, name).encoded(2, part).toMessage();
    byte[] entry = new FieldWriter().required(4).encoded(4, stored).toMessage();
    assertThatThrownBy(() -> LogEntryCodec.decode(entry))
        .isInstanceOf(MalformedRecordException.class)
        .hasMessageContaining("field 4 is 4294967296, must fit 32 bits without a sign");
  }
}
