package dev.tarn.shard.lru;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map of bounded size that evicts the entry that was used least recently. */
public final class LruMap<K, V> extends LinkedHashMap<K, V> {
  private static final long serialVersionUID = 1L;

  private final int entriesMax;

  /** An empty map. */
  public LruMap(int entriesMax) {
    super(16, 0.75f, true);
    this.entriesMax = entriesMax;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > entriesMax;
  }
}
