package dev.tarn.sharder.plan;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.sample.SampleName;
import org.jspecify.annotations.Nullable;

/**
 * The name that a file gets in its shard.
 *
 * @param bytes of the name
 * @param keyLength how many of them are the key
 * @param extension in lower case
 */
@SuppressWarnings("ArrayRecordComponent")
record MemberName(byte[] bytes, int keyLength, byte[] extension) {
  private static final int LONGEST = 0xffff;

  /**
   * The name for a file's name; null if it belongs to no sample.
   *
   * @throws PlanException if it would be read as another one, or cannot be written
   */
  static @Nullable MemberName of(String file, PlanOptions options) throws PlanException {
    KeyPattern groupBy = options.groupBy().orElse(null);
    if (groupBy == null) {
      String name = options.dots().apply(file);
      SampleName sample = SampleName.parse(name);
      return sample == null ? null : of(file, name, sample);
    }
    KeyPattern.Parts parts = groupBy.parts(file);
    if (parts == null) {
      return null;
    }
    String key = options.dots().applyToKey(file, parts.key());
    String name = key + "." + parts.extension();
    SampleName sample = SampleName.parse(name);
    if (sample == null || !sample.key().equals(key)) {
      throw new PlanException(
          MemberNames.printable(file)
              + ": --group-by makes it the member "
              + MemberNames.printable(name)
              + (sample == null
                  ? ", which readers would skip"
                  : ", which readers would take for one of sample "
                      + MemberNames.printable(sample.key())));
    }
    return of(file, name, sample);
  }

  private static MemberName of(String file, String name, SampleName sample) throws PlanException {
    if (name.indexOf('\0') >= 0) {
      throw new PlanException(
          MemberNames.printable(file) + ": holds a NUL, which tar cannot express; rename it");
    }
    byte[] bytes = MemberNames.encode(name);
    if (bytes.length > LONGEST || file.length() > LONGEST) {
      throw new PlanException(
          MemberNames.printable(file) + ": a name has at most " + LONGEST + " bytes");
    }
    boolean isAscii = bytes.length == name.length();
    int keyLength = isAscii ? sample.key().length() : MemberNames.encode(sample.key()).length;
    return new MemberName(bytes, keyLength, MemberNames.encode(sample.extension()));
  }

  /** The sample's key. */
  String key() {
    return MemberNames.decode(bytes, 0, keyLength);
  }
}
