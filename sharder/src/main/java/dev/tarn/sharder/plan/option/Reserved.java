package dev.tarn.sharder.plan.option;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.sample.SampleName;

/** The policy for a member whose extension readers need for a field of their own. */
public enum Reserved {
  /** The file is an error. */
  REFUSE,
  /** The extension loses the underscores around it: {@code x.__url__} becomes {@code x.url}. */
  RENAME;

  private static final String MARK = "__";

  /**
   * Applies the policy to a member whose extension {@linkplain SampleName#isReserved is reserved}.
   *
   * @param file its name in messages
   * @return the member's name with another extension
   */
  public SampleName apply(String file, SampleName member) throws PlanException {
    String extension = member.extension();
    if (this == REFUSE) {
      throw new PlanException(
          MemberNames.printable(file)
              + ": readers add a field "
              + extension
              + " to each sample, so a member cannot have this extension; rename the file or the"
              + " column, choose another extension by --member, or --reserved rename");
    }
    return new SampleName(
        member.key(), extension.substring(MARK.length(), extension.length() - MARK.length()));
  }
}
