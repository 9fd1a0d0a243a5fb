package dev.tarn.client;

import dev.tarn.client.storage.ForwardingStorage;
import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageException.Kind;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Another storage, whose reads are counted, and of which some bytes cannot be read. */
final class WatchedStorage extends ForwardingStorage {
  private final Map<StorageUrl, Long> bytes = new ConcurrentHashMap<>();
  private final Map<StorageUrl, Integer> requests = new ConcurrentHashMap<>();
  private final Map<StorageUrl, Long> unreadable = new ConcurrentHashMap<>();

  private final Map<StorageUrl, Event> events = new ConcurrentHashMap<>();

  /** What happens to the storage. */
  interface Happening {
    void happen() throws IOException;
  }

  private record Event(int number, Happening happening) {}

  WatchedStorage(Storage storage) {
    super(storage);
  }

  /** Fails reads that begin at an offset or behind it. */
  void failFrom(StorageUrl url, long offset) {
    unreadable.put(url, offset);
  }

  /** Lets something happen before the request of a number, from 1, for an object. */
  void beforeRequest(StorageUrl url, int number, Happening happening) {
    events.put(url, new Event(number, happening));
  }

  /** How many bytes were asked for of objects whose names end so. */
  long bytes(String suffix) {
    return bytes.entrySet().stream()
        .filter(entry -> entry.getKey().toString().endsWith(suffix))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** How many requests there were for objects whose names end so. */
  int requests(String suffix) {
    return requests.entrySet().stream()
        .filter(entry -> entry.getKey().toString().endsWith(suffix))
        .mapToInt(Map.Entry::getValue)
        .sum();
  }

  @Override
  public ObjectStream open(StorageUrl url, long offset, long end, @Nullable String etag)
      throws IOException {
    if (offset >= unreadable.getOrDefault(url, Long.MAX_VALUE)) {
      throw new StorageException(Kind.FAILED, url, "cannot be read from byte " + offset + " on");
    }
    int number = requests.merge(url, 1, Integer::sum);
    Event event = events.get(url);
    if (event != null && event.number() == number) {
      event.happening().happen();
    }
    ObjectStream stream = super.open(url, offset, end, etag);
    bytes.merge(url, stream.end() - stream.position(), Long::sum);
    return stream;
  }
}
