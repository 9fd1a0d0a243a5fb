package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

/** What became of a command. */
public sealed interface CommandOutcome {
  /**
   * It is applied.
   *
   * @param version the state version that shows it
   */
  record Applied(long version) implements CommandOutcome {}

  /**
   * It contradicts the state and changed nothing.
   *
   * @param reason which rule
   * @param message names what was wrong, and what would be right
   */
  record Rejected(Reason reason, String message) implements CommandOutcome {
    public Rejected {
      requireNonNull(reason, "reason is null");
      requireNonNull(message, "message is null");
    }
  }

  /**
   * The log cannot take it now; it changed nothing.
   *
   * @param message why
   */
  record Unavailable(String message) implements CommandOutcome {
    public Unavailable {
      requireNonNull(message, "message is null");
    }
  }

  /**
   * Nobody knows whether it was applied: it was sent, and no answer came.
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
    NEEDS_REBALANCE
  }
}
