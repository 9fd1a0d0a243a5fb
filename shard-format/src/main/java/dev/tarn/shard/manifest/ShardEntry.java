package dev.tarn.shard.manifest;

import static java.util.Objects.requireNonNull;

/**
 * One shard of a dataset.
 *
 * @param name relative to the manifest's place
 * @param size the length of the stored file
 * @param samples how many it has
 * @param members how many the samples have together
 * @param sha256 of the stored file
 * @param samplesSha256 over the samples' digests, in the shard's order
 * @param index its index
 */
public record ShardEntry(
    String name,
    long size,
    long samples,
    long members,
    Sha256 sha256,
    Sha256 samplesSha256,
    IndexEntry index) {

  /**
   * The index of a shard.
   *
   * @param name relative to the manifest's place
   * @param size the length of the file
   * @param sha256 of the file
   */
  public record IndexEntry(String name, long size, Sha256 sha256) {
    public IndexEntry {
      checkName(name);
      requireNonNull(sha256, "sha256 is null");
      if (size <= 0) {
        throw new IllegalArgumentException("index " + name + " has a size of " + size);
      }
    }
  }

  public ShardEntry {
    checkName(name);
    requireNonNull(sha256, "sha256 is null");
    requireNonNull(samplesSha256, "samplesSha256 is null");
    requireNonNull(index, "index is null");
    if (size <= 0 || samples < 0 || members < samples) {
      throw new IllegalArgumentException(
          "shard "
              + name
              + " of "
              + size
              + " bytes has "
              + samples
              + " samples of "
              + members
              + " members");
    }
  }

  /** A manifest may come from anywhere: its names must not lead out of its place. */
  private static void checkName(String name) {
    requireNonNull(name, "name is null");
    for (String part : name.split("/", -1)) {
      if (part.isEmpty() || part.equals(".") || part.equals("..")) {
        throw new IllegalArgumentException(
            "\"" + name + "\" is not a relative name without \".\" and \"..\"");
      }
    }
  }
}
