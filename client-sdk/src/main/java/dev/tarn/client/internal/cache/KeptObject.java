package dev.tarn.client.internal.cache;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.shard.manifest.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The kept bytes of one version of an object, in two files: a sparse file with the bytes at their
 * own offsets, and a journal of complete pieces.
 *
 * <p>A record is appended to the journal after the bytes that it describes, with their CRC32C. So
 * bytes that a crash or another process left are never taken for kept ones. The length of records
 * divides that of a page, so that they appear whole.
 */
final class KeptObject {
  private static final String DATA = ".data";
  private static final String JOURNAL = ".pieces";
  private static final int RECORD_BYTES = 16;
  private static final int HASH_DIGITS = 24;
  private static final Pattern NAME =
      Pattern.compile("[0-9a-f]{%1$d}-[0-9a-f]{%1$d}".formatted(HASH_DIGITS));

  private final Name name;
  private final Path data;
  private final Path journal;
  private final long size;
  private final CachedPieces pieces = new CachedPieces();

  /** How many bytes of the journal were read. */
  private long known;

  private KeptObject(Path folder, Name name, long size) {
    this.name = name;
    this.data = folder.resolve(name + DATA);
    this.journal = folder.resolve(name + JOURNAL);
    this.size = size;
  }

  /**
   * The name of an object's version, from which the names of its files are made.
   *
   * @param object the part that all versions of the object share
   */
  record Name(String object, String version) {
    static Name of(StoredObject stored) {
      return new Name(
          nameStart(stored.url()), hash("%s\n%d".formatted(stored.etag(), stored.size())));
    }

    /** The name of a journal's version. */
    static Name of(Path journal) {
      String name = withoutEnding(String.valueOf(journal.getFileName()), JOURNAL);
      int object = name.indexOf('-') + 1;
      return new Name(name.substring(0, object), name.substring(object));
    }

    @Override
    public String toString() {
      return object + version;
    }
  }

  /** Loads what is kept of an object. */
  static KeptObject open(Path folder, StoredObject object) throws IOException {
    KeptObject kept = new KeptObject(folder, Name.of(object), object.size());
    kept.lookAgain();
    return kept;
  }

  /** Loads what other processes have kept or evicted since. */
  synchronized void lookAgain() throws IOException {
    long length = length(journal);
    if (length < known) {
      known = 0;
      pieces.replace(List.of());
    }
    if (length > known) {
      ByteBuffer records = records(journal, known);
      if (records.remaining() % RECORD_BYTES != 0) {
        // Appended records could not be read: the journal begins anew.
        Files.deleteIfExists(journal);
        known = 0;
        pieces.replace(List.of());
      } else {
        boolean isFirst = known == 0;
        known += records.remaining();
        Collection<CachedPiece> found = pieces(records);
        if (isFirst) {
          pieces.replace(found);
        } else {
          found.forEach(pieces::add);
        }
      }
    }
  }

  /** The pieces that records describe, by offset; the last record for an offset counts. */
  private Collection<CachedPiece> pieces(ByteBuffer records) {
    TreeMap<Long, CachedPiece> found = new TreeMap<>();
    while (records.hasRemaining()) {
      CachedPiece piece = new CachedPiece(records.getLong(), records.getInt(), records.getInt());
      if (piece.offset() >= 0
          && piece.length() > 0
          && piece.length() <= CachedPiece.LENGTH_MAX
          && piece.end() <= size) {
        found.put(piece.offset(), piece);
      }
    }
    return found.values();
  }

  private static long length(Path file) throws IOException {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  /** The common start of the names of all versions of an object. */
  static String nameStart(StorageUrl url) {
    return hash(url.unsigned().toString()) + "-";
  }

  /** Whether a file is a journal. */
  static boolean isJournal(Path file) {
    return isNamed(file, JOURNAL);
  }

  private static boolean isNamed(Path file, String ending) {
    String name = String.valueOf(file.getFileName());
    return name.endsWith(ending) && NAME.matcher(withoutEnding(name, ending)).matches();
  }

  /** Whether a file holds bytes without a journal. */
  static boolean isOrphan(Path file) {
    return isNamed(file, DATA)
        && !Files.exists(Path.of(withoutEnding(file.toString(), DATA) + JOURNAL));
  }

  /** The number of bytes that a journal's records describe. */
  static long bytes(Path journal) throws IOException {
    ByteBuffer records = records(journal, 0);
    long bytes = 0;
    for (int at = 0; at + RECORD_BYTES <= records.limit(); at += RECORD_BYTES) {
      bytes += Math.max(0, Math.min(CachedPiece.LENGTH_MAX, records.getInt(at + Long.BYTES)));
    }
    return bytes;
  }

  /** Deletes a journal and its bytes. */
  static void delete(Path journal) throws IOException {
    Files.deleteIfExists(journal);
    Files.deleteIfExists(Path.of(withoutEnding(journal.toString(), JOURNAL) + DATA));
  }

  private static String withoutEnding(String name, String ending) {
    return name.substring(0, name.length() - ending.length());
  }

  private static ByteBuffer records(Path journal, long from) throws IOException {
    try (InputStream file = Files.newInputStream(journal)) {
      file.skipNBytes(from);
      return ByteBuffer.wrap(file.readAllBytes()).order(ByteOrder.LITTLE_ENDIAN);
    } catch (NoSuchFileException e) {
      return ByteBuffer.allocate(0);
    }
  }

  private static String hash(String text) {
    return Sha256.digest(UTF_8.encode(text)).hex().substring(0, HASH_DIGITS);
  }

  /** When the version was last looked up or extended. */
  static FileTime lastUsed(Path journal) throws IOException {
    try {
      return Files.getLastModifiedTime(journal);
    } catch (NoSuchFileException e) {
      return FileTime.fromMillis(0);
    }
  }

  /** The version's name. */
  Name name() {
    return name;
  }

  /** Records that the storage has this version of an object now, so that it is evicted last. */
  static void lookedUp(Path folder, Name version) {
    try {
      Files.setLastModifiedTime(folder.resolve(version + JOURNAL), FileTime.from(Instant.now()));
    } catch (IOException e) {
      // Nothing is kept of it yet, or the folder is read-only and nothing is evicted.
    }
  }

  /** The kept pieces. */
  CachedPieces pieces() {
    return pieces;
  }

  /** Opens the bytes for reading; the caller closes the channel. */
  FileChannel openToRead() throws IOException {
    return FileChannel.open(data, StandardOpenOption.READ);
  }

  /** Opens the bytes for writing; the caller closes the channel. */
  FileChannel openToWrite() throws IOException {
    return FileChannel.open(
        data, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.SPARSE);
  }

  /** Opens the journal for appending; the caller closes the channel. */
  FileChannel openJournal() throws IOException {
    return FileChannel.open(journal, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** Appends a record of a piece whose bytes were written. */
  synchronized void add(FileChannel openJournal, CachedPiece piece) throws IOException {
    ByteBuffer written = ByteBuffer.allocate(RECORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    written.putLong(piece.offset()).putInt(piece.length()).putInt(piece.crc32c()).flip();
    int count = openJournal.write(written);
    if (count != RECORD_BYTES) {
      throw new IOException("%s: only %d bytes of a record were written".formatted(journal, count));
    }
    if (openJournal.size() == known + RECORD_BYTES) {
      known += RECORD_BYTES;
    }
    pieces.add(piece);
  }
}
