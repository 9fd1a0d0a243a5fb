package dev.tarn.targetnode.store;

import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectVersion;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import dev.tarn.targetnode.store.extent.Extents;
import dev.tarn.targetnode.store.extent.VerifiedExtent;
import dev.tarn.targetnode.store.index.Index;
import dev.tarn.targetnode.store.index.IndexEntry;
import dev.tarn.targetnode.store.log.Log;
import dev.tarn.targetnode.store.log.LogPosition;
import dev.tarn.targetnode.store.log.RecordLocation;
import dev.tarn.targetnode.store.log.ScanListener;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.LogEntry.ObjectStored;
import dev.tarn.targetnode.store.record.LogEntry.PartStored;
import dev.tarn.targetnode.store.record.LogEntryCodec;
import dev.tarn.targetnode.store.record.MalformedRecordException;
import dev.tarn.targetnode.store.record.Piece;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Strikes out the records at the end of a log that name extents which are not complete on the
 * device.
 *
 * <p>The extents that a record names are synced before the record is acknowledged as durable. But
 * the operating system writes back in any order. After a loss of power, a record that was never
 * acknowledged may be on the device without its bytes. The start finds such records by reading the
 * extents that they name. It strikes them out, as if the loss of power had removed them too. It
 * makes complete extents durable.
 *
 * <p>No later record shows whether the last batch was acknowledged. If its bytes decayed since, it
 * looks the same as a torn record. Bytes that the device cannot read may be complete. A record is
 * therefore struck out only if its bytes were read and are wrong, or are known to be missing.
 */
final class TornRecords {
  private static final Logger LOG = LoggerFactory.getLogger(TornRecords.class);

  private final Log log;
  private final Extents extents;
  private final Index index;
  private final Tail tail = new Tail();
  private final Map<ExtentTable, Finding> findings = new HashMap<>();
  private final List<LogEntry> struckOut = new ArrayList<>();
  private final List<LogEntry> unknown = new ArrayList<>();

  /**
   * The records after those that the index contains.
   *
   * @param index contains all segments before those that are scanned
   */
  TornRecords(Log log, Extents extents, Index index) {
    this.log = log;
    this.extents = extents;
    this.index = index;
  }

  /** The result of reading an extent to its end, in ascending order of severity. */
  private enum Finding {
    WHOLE,
    /** The device returned an error. */
    UNREADABLE,
    /** The extent is missing or short, or its checksums do not match. */
    TORN
  }

  /** An extent with the checksum table that a record names. */
  private record ExtentTable(long extent, int tableCrc) {}

  private record Naming(
      RecordLocation at, long sequence, LogEntry entry, Set<ExtentTable> extents) {}

  /** Notes the records of a segment from a position on; blocks. */
  void scan(LogPosition from) throws IOException {
    log.scan(from, tail);
  }

  /** Strikes out torn records, and makes the extents of the others durable; blocks. */
  void strikeOut() throws IOException {
    ByteBuffer block = ByteBuffer.allocateDirect(VerifiedExtent.BLOCK_BYTES);
    for (Naming naming : tail.doubtful) {
      switch (worst(naming.extents(), block)) {
        case WHOLE -> {}
        case UNREADABLE -> unknown.add(naming.entry());
        case TORN -> {
          log.strikeOut(naming.at());
          struckOut.add(naming.entry());
        }
      }
    }
    extents.sync(
        findings.entrySet().stream()
            .filter(found -> found.getValue() == Finding.WHOLE)
            .map(found -> found.getKey().extent())
            .toList());
  }

  private Finding worst(Set<ExtentTable> named, ByteBuffer block) throws IOException {
    Finding worst = Finding.WHOLE;
    for (ExtentTable extent : named) {
      if (!tail.promised.contains(extent)) {
        Finding found = find(extent, block);
        worst = found.compareTo(worst) > 0 ? found : worst;
      }
    }
    return worst;
  }

  /**
   * Reads an extent once. An extent that the index already refers to is durable and is not read.
   */
  private Finding find(ExtentTable extent, ByteBuffer block) throws IOException {
    Finding known = findings.get(extent);
    if (known != null) {
      return known;
    }
    if (index.references(extent.extent()) > 0) {
      return Finding.WHOLE;
    }
    Finding found = read(extent, block);
    findings.put(extent, found);
    return found;
  }

  private Finding read(ExtentTable named, ByteBuffer block) throws IOException {
    long id = named.extent();
    try (VerifiedExtent extent = extents.openVerified(id, named.tableCrc())) {
      for (int i = 0; i < extent.blocks(); i++) {
        extent.readBlock(i, block);
      }
      return Finding.WHOLE;
    } catch (UnreadableFormatException e) {
      if (e.reason() == UnreadableFormatException.Reason.OTHER_RELEASE) {
        throw e;
      }
      return Finding.TORN;
    } catch (EOFException | NoSuchFileException e) {
      return Finding.TORN;
    } catch (IOException e) {
      LOG.warn("{} cannot be read; what names it is left in place", Extents.path(id), e);
      return Finding.UNREADABLE;
    }
  }

  /**
   * One sentence for each struck-out record that would count today, and for each record that counts
   * but whose bytes could not be read. The other records are left out: a later record replaced them
   * and released their extents.
   */
  List<String> losses() throws IOException {
    List<String> losses = new ArrayList<>();
    for (LogEntry entry : struckOut) {
      if (wouldCount(entry)) {
        losses.add(
            Descriptions.of(entry)
                + ": it is not whole; nothing later shows that it was promised; it is left out");
      }
    }
    for (LogEntry entry : unknown) {
      if (counts(entry)) {
        losses.add(
            Descriptions.of(entry)
                + ": its bytes could not be read at the start, so nobody knows whether they are"
                + " whole; it is left in place");
      }
    }
    return losses;
  }

  private boolean counts(LogEntry entry) throws IOException {
    IndexEntry present =
        switch (entry) {
          case ObjectStored stored ->
              index.find(stored.object().metadata().name(), stored.object().metadata().version());
          case PartStored stored ->
              index.findPart(stored.part().uploadId(), stored.part().part().number());
          case LogEntry.ObjectDeleted _,
              LogEntry.VersionDeleted _,
              LogEntry.UploadCreated _,
              LogEntry.UploadAborted _ ->
              null;
        };
    return present != null && present.entry().equals(entry);
  }

  private boolean wouldCount(LogEntry entry) throws IOException {
    return switch (entry) {
      case ObjectStored stored -> wouldCount(stored.object().metadata());
      case PartStored stored -> {
        String uploadId = stored.part().uploadId();
        IndexEntry upload = index.findUpload(stored.name(), uploadId);
        yield upload != null
            && upload.entry() instanceof LogEntry.UploadCreated
            && index.findPart(uploadId, stored.part().part().number()) == null;
      }
      case LogEntry.ObjectDeleted _,
          LogEntry.VersionDeleted _,
          LogEntry.UploadCreated _,
          LogEntry.UploadAborted _ ->
          false;
    };
  }

  private boolean wouldCount(ObjectMetadata metadata) throws IOException {
    ObjectName name = metadata.name();
    if (!metadata.nullVersion()) {
      IndexEntry present = index.find(name, metadata.version());
      boolean revised = present != null && present.entry() instanceof ObjectStored;
      return !revised && !tail.isDeleted(name, metadata.version());
    }
    IndexEntry present = index.findNull(name);
    ObjectVersion newest =
        present != null && present.entry() instanceof ObjectStored
            ? present.version()
            : tail.deleted.get(name);
    return newest == null || newest.compareTo(metadata.version()) < 0;
  }

  /** Keeps the records that name extents and are not known to be durable. */
  private static final class Tail implements ScanListener {
    private final Deque<Naming> doubtful = new ArrayDeque<>();
    private final Set<ExtentTable> promised = new HashSet<>();
    private final Map<ObjectName, Integer> doubtfulNames = new HashMap<>();

    /**
     * The tombstones of names with doubtful records. Others are not kept: there may be any number.
     */
    private final Map<ObjectName, ObjectVersion> deleted = new HashMap<>();

    private final Map<ObjectName, Set<ObjectVersion>> versionsDeleted = new HashMap<>();

    boolean isDeleted(ObjectName name, ObjectVersion version) {
      return versionsDeleted.getOrDefault(name, Set.of()).contains(version);
    }

    @Override
    public void record(RecordLocation location, long sequence, byte[] bytes, boolean intact) {
      LogEntry entry;
      try {
        entry = LogEntryCodec.decode(bytes);
      } catch (MalformedRecordException e) {
        return; // The replay reports it.
      }
      if (entry instanceof LogEntry.ObjectDeleted tombstone
          && doubtfulNames.containsKey(tombstone.name())) {
        deleted.put(tombstone.name(), tombstone.version());
      }
      if (entry instanceof LogEntry.VersionDeleted tombstone
          && doubtfulNames.containsKey(tombstone.name())) {
        versionsDeleted
            .computeIfAbsent(tombstone.name(), name -> new HashSet<>())
            .add(tombstone.version());
      }
      Set<ExtentTable> named = tables(entry);
      if (!named.isEmpty()) {
        doubtful.add(new Naming(location, sequence, entry, named));
        if (entry instanceof ObjectStored stored) {
          doubtfulNames.merge(stored.object().metadata().name(), 1, Integer::sum);
        }
      }
    }

    @Override
    public void promised(long sequence) {
      while (!doubtful.isEmpty() && doubtful.element().sequence() <= sequence) {
        Naming naming = doubtful.remove();
        promised.addAll(naming.extents());
        if (naming.entry() instanceof ObjectStored stored) {
          forget(stored.object().metadata().name());
        }
      }
    }

    private void forget(ObjectName name) {
      Integer left = doubtfulNames.computeIfPresent(name, (key, n) -> n > 1 ? n - 1 : null);
      if (left == null) {
        deleted.remove(name);
        versionsDeleted.remove(name);
      }
    }

    private static Set<ExtentTable> tables(LogEntry entry) {
      List<Piece> pieces =
          switch (entry) {
            case ObjectStored stored -> stored.object().pieces();
            case PartStored stored -> stored.part().pieces();
            case LogEntry.ObjectDeleted _,
                LogEntry.VersionDeleted _,
                LogEntry.UploadCreated _,
                LogEntry.UploadAborted _ ->
                List.of();
          };
      Set<ExtentTable> tables = new HashSet<>();
      for (Piece piece : pieces) {
        if (piece instanceof Piece.ExtentRange range) {
          tables.add(new ExtentTable(range.extent(), range.tableCrc()));
        }
      }
      return tables;
    }
  }
}
