package dev.tarn.client.storage.remote;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map that keeps the entries used last, up to a number of them. */
final class RecentEntries<K, V> extends LinkedHashMap<K, V> {
  private static final long serialVersionUID = 1L;

  private final int entriesMax;

  RecentEntries(int entriesMax) {
    super(16, 0.75f, true);
    this.entriesMax = entriesMax;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > entriesMax;
  }
}
