package dev.tarn.shard.sample;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.tar.TarMember;
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

  private final String shard;
  private final Set<String> extensions = new HashSet<>();
  private @Nullable SampleName current;

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
    SampleName name = member.isRegular() ? SampleName.parse(member.name()) : null;
    if (name == null) {
      return Place.OUTSIDE;
    }
    boolean first = current == null || !current.key().equals(name.key());
    if (first) {
      extensions.clear();
    }
    if (extensions.size() == MEMBERS_MAX) {
      throw tooMany(shard, member);
    }
    if (!extensions.add(name.extension())) {
      throw new ShardFormatException(
          shard,
          member.headerOffset(),
          "member "
              + MemberNames.printable(member.name())
              + " is the second of its sample with the extension "
              + MemberNames.printable(name.extension())
              + "; a sample has each once");
    }
    current = name;
    return first ? Place.FIRST : Place.FURTHER;
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

  /** The name of the member that was last added to a sample; null before the first. */
  public @Nullable SampleName current() {
    return current;
  }
}
