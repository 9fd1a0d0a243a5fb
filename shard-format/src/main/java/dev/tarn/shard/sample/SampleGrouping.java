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
 * Tells, member after member, where samples begin: a sample is a run of members of one key. What
 * belongs to no sample does not end the run, and a key that comes back later begins another.
 */
public final class SampleGrouping {
  /** What a member is to the samples. */
  public enum Place {
    /** It belongs to no sample. */
    OUTSIDE,
    /** It is the first of a sample, and so ends the one before. */
    FIRST,
    /** It belongs to the sample that is under way. */
    FURTHER
  }

  /** The members of a sample are in memory together: so their number is bounded. */
  public static final int MEMBERS_MAX = 65_536;

  /** So many extensions are held against each other one by one; more of them are looked up. */
  private static final int FEW = 8;

  private final String shard;

  /** The extensions of the sample at hand, and behind them those of the one before. */
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
   * Takes the next member.
   *
   * @throws ShardFormatException if its sample has its extension already, or more members than go
   */
  public Place add(TarMember member) throws ShardFormatException {
    String name = member.name();
    boolean isOutside = !member.isRegular() || SampleName.isMetadata(name);
    int split = isOutside ? -1 : SampleName.splitAt(name);
    if (split < 0) {
      return Place.OUTSIDE;
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
    return first ? Place.FIRST : Place.FURTHER;
  }

  /** Samples have the same extensions at the same places as a rule: theirs are taken again. */
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

  /** What is said of a sample with more members than go. */
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

  /** The key of the sample to which a member was added last; empty before the first. */
  public String key() {
    return key;
  }

  /** The extension of the member that was last added to a sample; empty before the first. */
  public String extension() {
    return extension;
  }
}
