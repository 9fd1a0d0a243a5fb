package dev.tarn.targetnode.store.record;

import static dev.tarn.cluster.object.ObjectCodecs.ALGORITHMS;

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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** A seeded stream of log entries of all kinds; each optional field is there in about half. */
public final class RandomEntries {
  private final Random random;

  public RandomEntries(long seed) {
    random = new Random(seed);
  }

  public LogEntry next() {
    return switch (random.nextInt(6)) {
      case 0 -> new ObjectDeleted(name(), version());
      case 1 -> new VersionDeleted(name(), version());
      case 2 ->
          new UploadCreated(
              new UploadRecord(
                  name(),
                  text(),
                  number(),
                  attributes(),
                  maybe(algorithm()),
                  maybe(random.nextBoolean() ? ChecksumType.COMPOSITE : ChecksumType.FULL_OBJECT),
                  text()));
      case 3 -> new PartStored(name(), new PartRecord(text(), revision(), part(1), pieces(false)));
      case 4 -> new UploadAborted(name(), text());
      default -> stored();
    };
  }

  private ObjectStored stored() {
    List<Piece> pieces = pieces(true);
    List<ObjectPart> parts = new ArrayList<>();
    for (int number = random.nextInt(4); number > 0; number--) {
      parts.add(part(number));
    }
    ObjectMetadata metadata =
        new ObjectMetadata(
            name(),
            version(),
            random.nextBoolean(),
            random.nextBoolean(),
            pieces.stream().mapToLong(Piece::length).sum(),
            text(),
            checksums(),
            attributes(),
            number(),
            parts,
            random.nextBoolean()
                ? null
                : new Origin(text(), random.nextBoolean() ? null : text(), number(), number()));
    return new ObjectStored(
        new ObjectRecord(metadata, revision(), random.nextBoolean() ? "" : "upload", pieces));
  }

  private List<Piece> pieces(boolean inline) {
    List<Piece> pieces = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      long length = random.nextInt(1 << 30);
      pieces.add(
          random.nextBoolean()
              ? new Piece.CachedUnits(length)
              : new Piece.ExtentRange(random.nextLong(), offset(), length, random.nextInt()));
    }
    if (inline && pieces.isEmpty()) {
      pieces.add(new Piece.Inline(random.nextInt(1 << 18)));
    }
    return pieces;
  }

  private ObjectPart part(int number) {
    return new ObjectPart(number, random.nextInt(1 << 30), text(), checksums(), number());
  }

  private List<ObjectChecksum> checksums() {
    List<ObjectChecksum> checksums = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      checksums.add(
          new ObjectChecksum(
              algorithm(),
              random.nextBoolean() ? ChecksumType.COMPOSITE : ChecksumType.FULL_OBJECT,
              text()));
    }
    return checksums;
  }

  private ChecksumAlgorithm algorithm() {
    return ALGORITHMS.get(random.nextInt(ALGORITHMS.size()));
  }

  private ObjectAttributes attributes() {
    return new ObjectAttributes(map(), map(), map());
  }

  private Map<String, String> map() {
    Map<String, String> map = new HashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      map.put(text(), text());
    }
    return map;
  }

  private ObjectName name() {
    return new ObjectName(new BucketId(1 + random.nextInt(9)), ObjectKey.of("k" + text()));
  }

  private ObjectVersion version() {
    return new ObjectVersion(offset(), random.nextLong(1L << 47), random.nextInt(3));
  }

  private StoredRevision revision() {
    return new StoredRevision(offset(), random.nextInt(3));
  }

  private long offset() {
    return random.nextBoolean() ? 0 : random.nextLong(1L << 40);
  }

  private long number() {
    return random.nextLong(-5, 1L << (1 + random.nextInt(50)));
  }

  private String text() {
    return switch (random.nextInt(4)) {
      case 0 -> "";
      case 1 -> "höhe\ud800\udc00";
      default -> Integer.toHexString(random.nextInt());
    };
  }

  private <T> Optional<T> maybe(T value) {
    return random.nextBoolean() ? Optional.empty() : Optional.of(value);
  }
}
