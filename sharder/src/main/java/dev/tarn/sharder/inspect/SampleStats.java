package dev.tarn.sharder.inspect;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** What samples consist of: one for each shard, added up to one for all. */
public final class SampleStats {
  /** What takes the place of those that are more than can be told apart. */
  public static final String OTHERS = "(others)";

  /** Names with dots and numbers in them may make an extension of each file. */
  private static final int KINDS_MAX = 4096;

  private long shards;
  private long samples;
  private long files;
  private long bytes;
  private final Map<String, ExtensionStats> extensions = new TreeMap<>();
  private final Map<String, Long> kinds = new TreeMap<>();
  private final SizeHistogram sampleSizes = new SizeHistogram();

  /** What is under way. */
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

  /** Ends the sample that is under way, if one is. */
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

  /** Adds those of other shards. */
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

  /** How many shards were looked at. */
  public long shards() {
    return shards;
  }

  /** How many samples they have. */
  public long samples() {
    return samples;
  }

  /** How many files the samples have. */
  public long files() {
    return files;
  }

  /** How many bytes the files have. */
  public long bytes() {
    return bytes;
  }

  /** The files by extension. */
  public Map<String, ExtensionStats> extensions() {
    return Collections.unmodifiableMap(extensions);
  }

  /** How many samples have which extensions, in the order of their files, with blanks between. */
  public Map<String, Long> kinds() {
    return Collections.unmodifiableMap(kinds);
  }

  /** How large the samples are. */
  public SizeHistogram sampleSizes() {
    return sampleSizes;
  }
}
