package dev.tarn.shard.sample;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.tar.TarMember;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Groups consecutive members into samples: a sample is a run of members with the same key. Members
 * that belong to no sample do not end the run. A key that occurs again later begins another sample.
 */
public final class SampleGrouping {
  /** The role of a member. */
  public enum Role {
    /** The member belongs to no sample. */
    OUTSIDE,
    /** The member is the first of a sample, and ends the previous sample. */
    FIRST,
    /** The member belongs to the current sample. */
    FURTHER
  }

  /** Maximum number of members in a sample, because they are in memory together. */
  public static final int MEMBERS_MAX = 65_536;

  /** Up to so many extensions are compared one by one; more are looked up in a set. */
  private static final int FEW = 8;

  private final String shard;

  /**
   * The extensions of the current sample; the rest of the array still has those of the previous
   * one.
   */
  private final @Nullable String[] few = new String[FEW];

  private final Set<String> many = new HashSet<>();
  private int count;
  private String key = "";
  private String extension = "";

  /**
   * @param shard its name in messages
   */
  public SampleGrouping(String shard) {
    this.shard = requireNonNull(shard, "shard is null");
  }

  /**
   * Adds the next member.
   *
   * @throws ShardFormatException if its sample already has its extension, or has too many members
   */
  public Role add(TarMember member) throws ShardFormatException {
    String name = member.name();
    boolean isOutside = !member.isRegular() || SampleName.isMetadata(name);
    int split = isOutside ? -1 : SampleName.splitAt(name);
    if (split < 0) {
      return Role.OUTSIDE;
    }
    boolean first = count == 0 || split != key.length() || !name.startsWith(key);
    if (first) {
      count = 0;
      many.clear();
      key = name.substring(0, split);
    }
    if (count == MEMBERS_MAX) {
      throw tooMany(shard, member);
    }
    extension = extension(name, split + 1);
    if (!isNew(extension)) {
      throw new ShardFormatException(
          shard,
          member.headerOffset(),
          "member "
              + MemberNames.printable(name)
              + " is the second of its sample with the extension "
              + MemberNames.printable(extension)
              + "; a sample has each once");
    }
    count++;
    return first ? Role.FIRST : Role.FURTHER;
  }

  /**
   * Reuses the string of the previous sample: samples usually have the same extensions in the same
   * order.
   */
  private String extension(String name, int from) {
    String before = count < FEW ? few[count] : null;
    boolean isSame =
        before != null && before.length() == name.length() - from && name.startsWith(before, from);
    return before != null && isSame ? before : SampleName.lowerCase(name, from);
  }

  private boolean isNew(String added) {
    if (count < FEW) {
      for (int i = 0; i < count; i++) {
        if (added.equals(few[i])) {
          return false;
        }
      }
      few[count] = added;
      return true;
    }
    if (count == FEW) {
      Collections.addAll(many, few);
    }
    return many.add(added);
  }

  /** Returns the error for a sample with too many members. */
  public static ShardFormatException tooMany(String shard, TarMember member) {
    return new ShardFormatException(
        shard,
        member.headerOffset(),
        "member "
            + MemberNames.printable(member.name())
            + " is of a sample with more than "
            + MEMBERS_MAX
            + " members");
  }

  /** Returns the key of the sample of the last added member; "" before the first. */
  public String key() {
    return key;
  }

  /** Returns the extension of the last member that was added to a sample; "" before the first. */
  public String extension() {
    return extension;
  }
}
