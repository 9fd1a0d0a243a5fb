package dev.tarn.sharder.plan;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.tar.TarLayout;
import dev.tarn.sharder.source.SourceFile;

/** A file and its name in its shard: a view of the plan, created on access. */
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

  /** Returns the number of the source that has its file, in the order of the plan's sources. */
  public int sourceNumber() {
    return sourceNumber;
  }

  /** Returns the file that has its content. */
  public SourceFile file() {
    return file;
  }

  /** Returns the bytes of its name; must not be modified. */
  public byte[] nameBytes() {
    return name;
  }

  /** Returns the number of the name's bytes that are its sample's key. */
  public int keyLength() {
    return keyLength;
  }

  /** Returns the bytes of its extension in lower case; must not be modified. */
  public byte[] extension() {
    return extension;
  }

  /** Returns its name, with key and extension. */
  public String name() {
    return MemberNames.decode(name);
  }

  /** Returns its sample's key. */
  public String key() {
    return MemberNames.decode(name, 0, keyLength);
  }

  /** Returns the length of its tar headers, in bytes. */
  public int headerLength() {
    return TarLayout.headerLength(name, file.size());
  }
}
