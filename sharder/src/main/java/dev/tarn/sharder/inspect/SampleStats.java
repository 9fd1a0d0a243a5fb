package dev.tarn.sharder.inspect;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** Statistics of samples: one instance per shard, which are then summed up. */
public final class SampleStats {
  /** The name for further extensions or kinds after the limit is reached. */
  public static final String OTHERS = "(others)";

  /**
   * Maximum number of extensions, and of kinds: names with dots and numbers may give every file its
   * own extension.
   */
  private static final int KINDS_MAX = 4096;

  private long shards;
  private long samples;
  private long files;
  private long bytes;
  private final Map<String, ExtensionStats> extensions = new TreeMap<>();
  private final Map<String, Long> kinds = new TreeMap<>();
  private final SizeHistogram sampleSizes = new SizeHistogram();

  /** The extensions of the current sample. */
  private final StringBuilder kind = new StringBuilder();

  private long sampleSize;
  private boolean inSample;

  void addFile(String extension, long size) {
    files++;
    bytes += size;
    extensions.computeIfAbsent(known(extensions, extension), e -> new ExtensionStats()).add(size);
    kind.append(inSample ? " " : "").append(extension);
    sampleSize += size;
    inSample = true;
  }

  /** Ends the current sample, if there is one. */
  void endSample() {
    if (inSample) {
      samples++;
      kinds.merge(known(kinds, kind.toString()), 1L, Long::sum);
      sampleSizes.add(sampleSize);
      kind.setLength(0);
      sampleSize = 0;
      inSample = false;
    }
  }

  void endShard() {
    endSample();
    shards++;
  }

  /** Adds the statistics of other shards. */
  public void add(SampleStats other) {
    shards += other.shards;
    samples += other.samples;
    files += other.files;
    bytes += other.bytes;
    other.extensions.forEach((extension, stats) ->
        extensions
            .computeIfAbsent(known(extensions, extension), e -> new ExtensionStats())
            .add(stats));
    other.kinds.forEach((name, count) -> kinds.merge(known(kinds, name), count, Long::sum));
    sampleSizes.add(other.sampleSizes);
  }

  private static String known(Map<String, ?> counts, String name) {
    int others = counts.containsKey(OTHERS) ? 1 : 0;
    return counts.containsKey(name) || counts.size() - others < KINDS_MAX ? name : OTHERS;
  }

  /** Returns the number of shards. */
  public long shards() {
    return shards;
  }

  /** Returns the number of samples. */
  public long samples() {
    return samples;
  }

  /** Returns the number of files in all samples. */
  public long files() {
    return files;
  }

  /** Returns the total size of the files in bytes. */
  public long bytes() {
    return bytes;
  }

  /** Returns the files by extension. */
  public Map<String, ExtensionStats> extensions() {
    return Collections.unmodifiableMap(extensions);
  }

  /**
   * Returns the number of samples by their extensions, which are in the order of the files and
   * separated by spaces.
   */
  public Map<String, Long> kinds() {
    return Collections.unmodifiableMap(kinds);
  }

  /** Returns the sizes of the samples. */
  public SizeHistogram sampleSizes() {
    return sampleSizes;
  }
}
