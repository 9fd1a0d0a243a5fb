package dev.tarn.targetnode.store;

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

/**
 * Strikes out the records at the end of a log that name bytes which were never whole on the device.
 *
 * <p>What a record names is synced before the record is promised to be on the device. But the
 * system writes back in any order: a record that nobody was promised may be there without its
 * bytes. Such records are found at the start, by reading what they name; they count no more, as if
 * the loss of power had taken them too. What is whole is made durable.
 */
final class TornRecords {
  private final Log log;
  private final Extents extents;
  private final Index index;
  private final Tail tail = new Tail();
  private final Map<Long, Boolean> whole = new HashMap<>();
  private final List<LogEntry> struckOut = new ArrayList<>();

  /**
   * The records behind what the index contains.
   *
   * @param index contains all segments before those that are scanned
   */
  TornRecords(Log log, Extents extents, Index index) {
    this.log = log;
    this.extents = extents;
    this.index = index;
  }

  private record Naming(RecordLocation at, long sequence, LogEntry entry, Set<Long> extents) {}

  /** Notes the records of a segment from a position on; blocks. */
  void scan(LogPosition from) throws IOException {
    log.scan(from, tail);
  }

  /** Strikes out what is torn, and makes durable what the others name; blocks. */
  void strikeOut() throws IOException {
    ByteBuffer block = ByteBuffer.allocateDirect(VerifiedExtent.BLOCK_BYTES);
    for (Naming naming : tail.doubtful) {
      boolean torn = false;
      for (long extent : naming.extents()) {
        torn |= !tail.promised.contains(extent) && !isWhole(extent, block);
      }
      if (torn) {
        log.strikeOut(naming.at());
        struckOut.add(naming.entry());
      }
    }
    extents.sync(
        whole.entrySet().stream().filter(Map.Entry::getValue).map(Map.Entry::getKey).toList());
  }

  /** Whether an extent was durable when the index heard of it, or can be read to its end. */
  private boolean isWhole(long extent, ByteBuffer block) throws IOException {
    Boolean known = whole.get(extent);
    if (known != null) {
      return known;
    }
    if (index.references(extent) > 0) {
      return true;
    }
    boolean found = readsWhole(extent, block);
    whole.put(extent, found);
    return found;
  }

  private boolean readsWhole(long id, ByteBuffer block) throws IOException {
    try (VerifiedExtent extent = extents.openVerified(id)) {
      for (int i = 0; i < extent.blocks(); i++) {
        extent.readBlock(i, block);
      }
      return true;
    } catch (UnreadableFormatException e) {
      if (e.reason() == UnreadableFormatException.Reason.NEWER) {
        throw e;
      }
      return false;
    } catch (EOFException | NoSuchFileException e) {
      return false;
    }
  }

  /**
   * A sentence for each record that was struck out and would count today. Others name extents that
   * were removed in good order, because a later record replaced them.
   */
  List<String> losses() throws IOException {
    List<String> losses = new ArrayList<>();
    for (LogEntry entry : struckOut) {
      if (wouldCount(entry)) {
        losses.add(
            Descriptions.of(entry)
                + ": its bytes were never whole on the device and it was not promised; it is left"
                + " out");
      }
    }
    return losses;
  }

  private boolean wouldCount(LogEntry entry) throws IOException {
    return switch (entry) {
      case ObjectStored stored -> {
        var version = stored.object().metadata().version();
        ObjectName name = stored.object().metadata().name();
        IndexEntry present = index.find(name);
        ObjectVersion newest =
            present != null && present.entry() instanceof ObjectStored other
                ? other.object().metadata().version()
                : tail.deleted.get(name);
        yield newest == null || newest.compareTo(version) < 0;
      }
      case PartStored stored -> {
        String uploadId = stored.part().uploadId();
        IndexEntry upload = index.findUpload(stored.name(), uploadId);
        yield upload != null
            && upload.entry() instanceof LogEntry.UploadCreated
            && index.findPart(uploadId, stored.part().part().number()) == null;
      }
      default -> false;
    };
  }

  /** Keeps what names extents and is not promised. */
  private static final class Tail implements ScanListener {
    private final Deque<Naming> doubtful = new ArrayDeque<>();
    private final Set<Long> promised = new HashSet<>();
    private final Map<ObjectName, ObjectVersion> deleted = new HashMap<>();

    @Override
    public void record(RecordLocation location, long sequence, byte[] bytes, boolean intact) {
      LogEntry entry;
      try {
        entry = LogEntryCodec.decode(bytes, 0);
      } catch (MalformedRecordException e) {
        return; // The replay refuses it.
      }
      if (entry instanceof LogEntry.ObjectDeleted tombstone) {
        deleted.put(tombstone.name(), tombstone.version());
      }
      Set<Long> named = Piece.extents(pieces(entry));
      if (!named.isEmpty()) {
        doubtful.add(new Naming(location, sequence, entry, named));
      }
    }

    @Override
    public void promised(long sequence) {
      while (!doubtful.isEmpty() && doubtful.element().sequence() <= sequence) {
        promised.addAll(doubtful.remove().extents());
      }
    }

    private static List<Piece> pieces(LogEntry entry) {
      return switch (entry) {
        case ObjectStored stored -> stored.object().pieces();
        case PartStored stored -> stored.part().pieces();
        default -> List.of();
      };
    }
  }
}
