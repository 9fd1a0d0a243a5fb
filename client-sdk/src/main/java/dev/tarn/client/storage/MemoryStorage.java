package dev.tarn.client.storage;

import dev.tarn.client.storage.StorageException.Kind;
import dev.tarn.shard.manifest.Sha256;
import dev.tarn.shard.name.MemberNames;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Objects in the heap, named {@code memory://store/key}, for tests and small datasets. No two
 * contents have the same ETag, not even in two storages; an object that is written again gets a new
 * one.
 */
public final class MemoryStorage implements Storage {
  private record Content(ByteBuffer bytes, String etag) {}

  private final ConcurrentNavigableMap<StorageUrl, Content> objects =
      new ConcurrentSkipListMap<>((a, b) -> MemberNames.compare(name(a), name(b)));
  private final AtomicLong commits = new AtomicLong();

  @Override
  public Stream<StoredObject> list(StorageUrl folder) {
    StorageUrl first = new StorageUrl(folder.scheme(), folder.authority(), folder.folderPath());
    return objects.tailMap(first).entrySet().stream()
        .takeWhile(entry -> entry.getKey().toString().startsWith(first.toString()))
        .map(entry -> describe(entry.getKey(), entry.getValue()));
  }

  @Override
  public StoredObject stat(StorageUrl url) throws IOException {
    return describe(url, content(url));
  }

  @Override
  public ObjectStream open(StorageUrl url, long offset, long end, @Nullable String etag)
      throws IOException {
    Content content = content(url);
    StoredObject object = describe(url, content);
    Range range = Range.within(object, offset, end, etag);
    return new MemoryStream(object, content.bytes, range);
  }

  @Override
  public ObjectWriter create(StorageUrl url) throws IOException {
    if (url.scheme() != StorageUrl.Scheme.MEMORY) {
      throw new StorageException(Kind.INVALID, url, "a MemoryStorage holds only memory:// objects");
    }
    return new MemoryWriter(url);
  }

  @Override
  public void delete(StorageUrl url) {
    objects.remove(url);
  }

  @Override
  public void close() {}

  private Content content(StorageUrl url) throws StorageException {
    Content content = objects.get(url);
    if (content == null) {
      throw new StorageException(Kind.MISSING, url, "no such object");
    }
    return content;
  }

  private static StoredObject describe(StorageUrl url, Content content) {
    return new StoredObject(url, content.bytes.remaining(), content.etag);
  }

  private static String name(StorageUrl url) {
    return url.authority() + "/" + url.path();
  }

  private static final class MemoryStream extends ObjectStream {
    private final StoredObject object;
    private final ByteBuffer left;

    MemoryStream(StoredObject object, ByteBuffer bytes, Range range) {
      this.object = object;
      this.left = bytes.duplicate().position((int) range.offset()).limit((int) range.end());
    }

    @Override
    public StoredObject object() {
      return object;
    }

    @Override
    public long position() {
      return left.position();
    }

    @Override
    public long end() {
      return left.limit();
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      if (!left.hasRemaining()) {
        return -1;
      }
      int count = Math.min(length, left.remaining());
      left.get(target, offset, count);
      return count;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  private final class MemoryWriter extends ObjectWriter {
    private final StorageUrl url;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private boolean open = true;

    MemoryWriter(StorageUrl url) {
      this.url = url;
    }

    @Override
    public StorageUrl url() {
      return url;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
      checkOpen();
      byte[] copy = new byte[source.remaining()];
      source.get(copy);
      bytes.writeBytes(copy);
      return copy.length;
    }

    @Override
    public StoredObject commit() throws IOException {
      checkOpen();
      open = false;
      ByteBuffer stored = ByteBuffer.wrap(bytes.toByteArray());
      Sha256 digest = Sha256.digest(stored.duplicate());
      Content content =
          new Content(stored, "\"%s-%d\"".formatted(digest, commits.incrementAndGet()));
      objects.put(url, content);
      return describe(url, content);
    }

    @Override
    public boolean isOpen() {
      return open;
    }

    @Override
    public void close() {
      open = false;
    }

    private void checkOpen() throws StorageException {
      if (!open) {
        throw new StorageException(Kind.INVALID, url, "the writer is closed");
      }
    }
  }
}
