package dev.tarn.sharder.plan;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.sample.SampleName;
import dev.tarn.sharder.plan.option.Dots;
import dev.tarn.sharder.plan.option.KeyPattern;
import dev.tarn.sharder.plan.option.KeyPattern.Parts;
import dev.tarn.sharder.plan.option.PlanException;
import dev.tarn.sharder.plan.option.PlanOptions;
import dev.tarn.sharder.source.GivenName;
import dev.tarn.sharder.source.RelativeNames;
import dev.tarn.sharder.source.SourceFile;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The name of a file in its shard.
 *
 * @param text the name
 * @param bytes the encoded name
 * @param keyLength the number of those bytes that are the key
 * @param extension in lower case
 */
@SuppressWarnings("ArrayRecordComponent")
record MemberName(String text, byte[] bytes, int keyLength, byte[] extension) {
  private static final int LONGEST = 0xffff;

  /**
   * Returns the name for a file; null if it belongs to no sample.
   *
   * @throws PlanException if readers would parse another key from the name, or if the name is
   *     invalid
   */
  static @Nullable MemberName of(SourceFile source, PlanOptions options) throws PlanException {
    String file = source.name();
    if (source.given() == null && options.groupBy().isEmpty()) {
      String name = options.dots().apply(file);
      SampleName sample = SampleName.parse(name);
      return sample == null ? null : of(file, name, sample, options);
    }
    Parts parts = parts(source, options);
    if (parts == null) {
      return null;
    }
    String name = parts.key() + "." + parts.extension();
    SampleName sample = SampleName.parse(name);
    if (sample == null || !sample.key().equals(parts.key())) {
      throw new PlanException(
          MemberNames.printable(file)
              + ": "
              + (source.given() == null ? "--group-by" : "its list")
              + " makes it the member "
              + MemberNames.printable(name)
              + (sample == null
                  ? ", which readers would skip"
                  : ", which readers would take for one of sample "
                      + MemberNames.printable(sample.key())));
    }
    return of(file, name, sample, options);
  }

  private static @Nullable Parts parts(SourceFile source, PlanOptions options)
      throws PlanException {
    GivenName given = source.given();
    if (given == null) {
      return ofName(source.name(), source.name(), options);
    }
    Dots dots = options.dots();
    String key =
        given.key() == null ? null : dots.applyToKey(source.name(), "--key-column", given.key());
    if (key != null && given.extension() != null) {
      return new Parts(key, given.extension());
    }
    if (key != null && options.groupBy().isEmpty()) {
      return new Parts(key, dots.extension(given.file()));
    }
    Parts parts = ofName(source.name(), given.file(), options);
    return parts == null
        ? null
        : new Parts(
            key == null ? parts.key() : key,
            given.extension() == null ? parts.extension() : given.extension());
  }

  /** Returns the key and extension in a name; a name without a dot is a key. */
  private static @Nullable Parts ofName(String file, String name, PlanOptions options)
      throws PlanException {
    KeyPattern groupBy = options.groupBy().orElse(null);
    if (groupBy != null) {
      Parts parts = groupBy.parts(name);
      return parts == null
          ? null
          : new Parts(
              options.dots().applyToKey(file, "--group-by", parts.key()), parts.extension());
    }
    String applied = options.dots().apply(name);
    int dot = SampleName.splitAt(applied);
    return dot < 0
        ? new Parts(applied, "")
        : new Parts(applied.substring(0, dot), applied.substring(dot + 1));
  }

  private static MemberName of(String file, String spelled, SampleName sample, PlanOptions options)
      throws PlanException {
    if (sample.isReserved()) {
      SampleName renamed = options.reserved().apply(file, sample);
      return of(file, renamed.key() + "." + renamed.extension(), renamed, options);
    }
    String name = options.lowerCaseExtensions() ? sample.key() + "." + sample.extension() : spelled;
    if (name.indexOf('\0') >= 0) {
      throw new PlanException(
          MemberNames.printable(file) + ": holds a NUL, which tar cannot express; rename it");
    }
    if (RelativeNames.leadsOut(name)) {
      throw new PlanException(
          MemberNames.printable(file)
              + ": its member "
              + MemberNames.printable(name)
              + " would lead out of the folder that it is unpacked in: names must be relative and"
              + " without \"..\"; rename it");
    }
    byte[] bytes = MemberNames.encode(name);
    if (bytes.length > LONGEST || file.length() > LONGEST) {
      throw new PlanException(
          MemberNames.printable(file) + ": a name has at most " + LONGEST + " bytes");
    }
    boolean isAscii = bytes.length == name.length();
    int keyLength = isAscii ? sample.key().length() : MemberNames.encode(sample.key()).length;
    return new MemberName(name, bytes, keyLength, MemberNames.encode(sample.extension()));
  }

  /**
   * Returns this name in a folder, which becomes a part of the key.
   *
   * @throws PlanException if the name is then too long
   */
  MemberName within(String folder) throws PlanException {
    byte[] prefix = MemberNames.encode(folder + "/");
    byte[] whole = Arrays.copyOf(prefix, prefix.length + bytes.length);
    System.arraycopy(bytes, 0, whole, prefix.length, bytes.length);
    if (whole.length > LONGEST) {
      throw new PlanException(
          MemberNames.printable(text) + ": a name has at most " + LONGEST + " bytes");
    }
    return new MemberName(folder + "/" + text, whole, prefix.length + keyLength, extension);
  }

  /** Returns the name of a member with this key and extension. */
  static MemberName of(byte[] key, byte[] extension) {
    byte[] bytes = Arrays.copyOf(key, key.length + 1 + extension.length);
    bytes[key.length] = '.';
    System.arraycopy(extension, 0, bytes, key.length + 1, extension.length);
    return new MemberName(MemberNames.decode(bytes), bytes, key.length, extension);
  }

  /** Returns whether the name has its extension in lower case. */
  boolean isLowerCase() {
    return Arrays.equals(bytes, keyLength + 1, bytes.length, extension, 0, extension.length);
  }

  /** Returns the extension in its original case. */
  byte[] spelledExtension() {
    return Arrays.copyOfRange(bytes, keyLength + 1, bytes.length);
  }

  /** Returns the sample's key. */
  String key() {
    return MemberNames.decode(bytes, 0, keyLength);
  }
}
