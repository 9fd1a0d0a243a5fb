package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

/** The outcome of a command. */
public sealed interface CommandOutcome {
  /**
   * The command is applied.
   *
   * @param version the state version that shows it
   */
  record Applied(long version) implements CommandOutcome {}

  /**
   * The command contradicts the state and changed nothing.
   *
   * @param reason the broken rule
   * @param message says what is wrong and what would be right
   */
  record Rejected(Reason reason, String message) implements CommandOutcome {
    public Rejected {
      requireNonNull(reason, "reason is null");
      requireNonNull(message, "message is null");
    }
  }

  /**
   * The log does not take the command now; it changed nothing.
   *
   * @param message why
   */
  record Unavailable(String message) implements CommandOutcome {
    public Unavailable {
      requireNonNull(message, "message is null");
    }
  }

  /**
   * The command may or may not have been applied: no answer came, or its record in the log is in
   * doubt.
   *
   * @param message what happened, and how to find out
   */
  record Unconfirmed(String message) implements CommandOutcome {
    public Unconfirmed {
      requireNonNull(message, "message is null");
    }
  }

  /** Why a command was rejected. */
  enum Reason {
    BUCKET_EXISTS,
    NO_SUCH_BUCKET,
    INVALID_BUCKET_NAME,
    USER_EXISTS,
    NO_SUCH_USER,
    USER_OWNS_BUCKETS,
    ACCESS_KEY_EXISTS,
    NO_SUCH_ACCESS_KEY,
    CLUSTER_HAS_AN_ID,
    NO_SUCH_TARGET,
    TARGET_IS_MEMBER,
    DISK_OF_ANOTHER_TARGET,
    DISK_UNREADABLE,
    TOO_MANY_TARGETS,
    NOTHING_CHANGES,
    NEEDS_REBALANCE,
    DELETION_ENDED,
    WRONG_BUCKET_STATE,
    NO_MAP,
    TARGET_IN_SERVICE,
    LAST_TARGET,
    DISK_OF_REMOVED_TARGET,
    BUCKET_CHANGED
  }
}
