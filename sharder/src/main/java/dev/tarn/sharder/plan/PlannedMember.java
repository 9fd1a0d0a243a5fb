package dev.tarn.sharder.plan;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.tar.TarLayout;
import dev.tarn.sharder.source.SourceFile;

/** A file and the name that it gets in its shard: a view of the plan, made when it is looked at. */
public final class PlannedMember {
  private final byte[] name;
  private final int keyLength;
  private final byte[] extension;
  private final int sourceNumber;
  private final SourceFile file;

  PlannedMember(byte[] name, int keyLength, byte[] extension, int sourceNumber, SourceFile file) {
    this.name = requireNonNull(name, "name is null");
    this.keyLength = keyLength;
    this.extension = requireNonNull(extension, "extension is null");
    this.sourceNumber = sourceNumber;
    this.file = requireNonNull(file, "file is null");
  }

  /** The number of the source that has its file, in the order of the plan's sources. */
  public int sourceNumber() {
    return sourceNumber;
  }

  /** Where its bytes come from. */
  public SourceFile file() {
    return file;
  }

  /** The bytes of its name, not to be changed. */
  public byte[] nameBytes() {
    return name;
  }

  /** How many of the name's bytes are its sample's key. */
  public int keyLength() {
    return keyLength;
  }

  /** The bytes of its extension in lower case, not to be changed. */
  public byte[] extension() {
    return extension;
  }

  /** Its name, with key and extension. */
  public String name() {
    return MemberNames.decode(name);
  }

  /** Its sample's key. */
  public String key() {
    return MemberNames.decode(name, 0, keyLength);
  }

  /** How many bytes it takes in its shard before its data. */
  public int headerLength() {
    return TarLayout.headerLength(name, file.size());
  }
}
