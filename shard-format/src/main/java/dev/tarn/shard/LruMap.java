package dev.tarn.shard;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map of limited size that evicts the least recently used entry. */
public final class LruMap<K, V> extends LinkedHashMap<K, V> {
  private static final long serialVersionUID = 1L;

  private final int entriesMax;

  /**
   * Creates an empty map.
   *
   * @param entriesMax the maximum number of entries
   */
  public LruMap(int entriesMax) {
    super(16, 0.75f, true);
    this.entriesMax = entriesMax;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > entriesMax;
  }
}
