package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.CommandOutcome.Applied;
import dev.tarn.cluster.control.CommandOutcome.Reason;
import dev.tarn.cluster.control.CommandOutcome.Rejected;
import dev.tarn.cluster.object.BucketId;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The rules of the control plane as a pure function: a state and a command give the next state and
 * an outcome. Clock, randomness and machine have no influence. Logs with the same commands in the
 * same order therefore lead to the same state, byte for byte.
 */
public final class StateMachine {
  private StateMachine() {}

  /** The state before the first command. */
  public static ControlState empty() {
    return ControlState.EMPTY;
  }

  /**
   * The result of one command.
   *
   * @param state the state afterwards; the former one if the command was rejected
   * @param outcome applied or rejected, never unavailable
   */
  public record Transition(ControlState state, CommandOutcome outcome) {
    public Transition {
      requireNonNull(state, "state is null");
      requireNonNull(outcome, "outcome is null");
    }

    /** Whether the command changed the state; only such commands belong in the log. */
    public boolean applied() {
      return outcome instanceof Applied;
    }
  }

  /**
   * Applies a command.
   *
   * @param state before the command
   * @param command the change
   */
  public static Transition apply(ControlState state, Command command) {
    if (command instanceof Command.CreateBucket create) {
      return createBucket(state, create);
    } else if (command instanceof Command.SetBucket set) {
      return setBucket(state, set);
    } else if (command instanceof Command.ConfigureBucket configure) {
      return configureBucket(state, configure);
    } else if (command instanceof Command.BeginDeletion begin) {
      return beginDeletion(state, begin);
    } else if (command instanceof Command.KeepBucket keep) {
      return keepBucket(state, keep);
    } else if (command instanceof Command.DeleteBucket delete) {
      return deleteBucket(state, delete);
    } else if (command instanceof Command.CreateUser create) {
      return createUser(state, create);
    } else if (command instanceof Command.DeleteUser delete) {
      return deleteUser(state, delete);
    } else if (command instanceof Command.CreateAccessKey create) {
      return createAccessKey(state, create);
    } else if (command instanceof Command.DeleteAccessKey delete) {
      return deleteAccessKey(state, delete);
    } else if (command instanceof Command.SwitchAccessKey change) {
      return switchAccessKey(state, change);
    }
    return Membership.apply(state, command);
  }

  private static Transition createBucket(ControlState state, Command.CreateBucket command) {
    Optional<String> problem = BucketNames.problem(command.name());
    if (problem.isPresent()) {
      return rejected(state, Reason.INVALID_BUCKET_NAME, problem.orElseThrow());
    }
    if (state.bucket(command.name()) != null) {
      return rejected(
          state, Reason.BUCKET_EXISTS, "bucket '" + command.name() + "' exists; take another name");
    }
    if (state.user(command.ownerId()) == null) {
      return noSuchUser(state, command.ownerId());
    }
    return applied(
        state,
        tables ->
            tables.withNewBucket(
                new Bucket(
                    new BucketId(state.tables().nextBucketId()),
                    command.name(),
                    command.ownerId(),
                    command.timeMs(),
                    state.version() + 1,
                    command.settings(),
                    BucketConfiguration.NONE)));
  }

  private static Transition setBucket(ControlState state, Command.SetBucket command) {
    Bucket bucket = state.bucket(command.name());
    if (bucket == null || isAnother(bucket, command.id())) {
      return noSuchBucket(state, command.name());
    }
    if (command.version() != 0 && command.version() != bucket.settingsVersion()) {
      return rejected(
          state,
          Reason.BUCKET_CHANGED,
          "bucket '"
              + command.name()
              + "' has version "
              + bucket.settingsVersion()
              + ", and the change was made for version "
              + command.version()
              + "; read the bucket and retry");
    }
    return applied(
        state, tables -> tables.withBucket(bucket.with(command.settings(), state.version() + 1)));
  }

  private static Transition configureBucket(ControlState state, Command.ConfigureBucket command) {
    Bucket bucket = state.bucket(command.name());
    if (bucket == null || !bucket.id().equals(command.id())) {
      return noSuchBucket(state, command.name());
    }
    Optional<String> refusal = command.change().refusal(bucket.configuration());
    if (refusal.isPresent()) {
      return rejected(state, Reason.WRONG_BUCKET_STATE, refusal.orElseThrow());
    }
    BucketConfiguration changed = command.change().applyTo(bucket.configuration());
    return applied(state, tables -> tables.withBucket(bucket.with(changed, state.version() + 1)));
  }

  private static Transition beginDeletion(ControlState state, Command.BeginDeletion command) {
    Bucket bucket = state.bucket(command.name());
    if (bucket == null || !bucket.id().equals(command.id())) {
      return noSuchBucket(state, command.name());
    }
    long version = state.version() + 1;
    Bucket.Deletion deletion = new Bucket.Deletion(version, command.timeMs());
    return applied(state, tables -> tables.withBucket(bucket.with(Optional.of(deletion), version)));
  }

  private static Transition keepBucket(ControlState state, Command.KeepBucket command) {
    Bucket bucket = state.bucket(command.name());
    if (bucket == null || !bucket.id().equals(command.id())) {
      return noSuchBucket(state, command.name());
    }
    if (!isDeletedBy(bucket, command.deletion())) {
      return deletionEnded(state, bucket);
    }
    return applied(
        state, tables -> tables.withBucket(bucket.with(Optional.empty(), state.version() + 1)));
  }

  private static boolean isDeletedBy(Bucket bucket, long deletion) {
    return bucket.deletion().isPresent() && bucket.deletion().orElseThrow().version() == deletion;
  }

  private static Transition deletionEnded(ControlState state, Bucket bucket) {
    return rejected(
        state,
        Reason.DELETION_ENDED,
        "bucket '"
            + bucket.name()
            + "' was not deleted: another request has ended or repeated this deletion; delete it"
            + " again");
  }

  private static Transition deleteBucket(ControlState state, Command.DeleteBucket command) {
    Bucket bucket = state.bucket(command.name());
    if (bucket == null || isAnother(bucket, command.id())) {
      return noSuchBucket(state, command.name());
    }
    if (command.deletion() != 0 && !isDeletedBy(bucket, command.deletion())) {
      return deletionEnded(state, bucket);
    }
    return applied(state, tables -> tables.withoutBucket(command.name()));
  }

  /** Whether the intended bucket is gone and this one has its name now. */
  private static boolean isAnother(Bucket bucket, Optional<BucketId> meant) {
    return meant.isPresent() && !meant.orElseThrow().equals(bucket.id());
  }

  private static Transition createUser(ControlState state, Command.CreateUser command) {
    User user = command.user();
    if (state.user(user.id()) != null || state.hasUserName(user.name())) {
      return rejected(
          state, Reason.USER_EXISTS, "user '" + user.name() + "' exists; take another name");
    }
    return applied(state, tables -> tables.withUser(user));
  }

  private static Transition deleteUser(ControlState state, Command.DeleteUser command) {
    User user = state.user(command.userId());
    if (user == null) {
      return noSuchUser(state, command.userId());
    }
    int owned = state.bucketsOf(user.id()).size();
    if (owned > 0) {
      return rejected(
          state,
          Reason.USER_OWNS_BUCKETS,
          "user '"
              + user.name()
              + "' owns "
              + owned
              + " buckets; delete these first, with all objects that they hold");
    }
    return applied(state, tables -> tables.withoutUser(user));
  }

  private static Transition createAccessKey(ControlState state, Command.CreateAccessKey command) {
    AccessKey key = command.key();
    if (state.accessKey(key.id()) != null) {
      return rejected(
          state,
          Reason.ACCESS_KEY_EXISTS,
          "access key '" + key.id() + "' exists; take another id or delete it first");
    }
    if (state.user(key.userId()) == null) {
      return noSuchUser(state, key.userId());
    }
    return applied(state, tables -> tables.withAccessKey(key));
  }

  private static Transition deleteAccessKey(ControlState state, Command.DeleteAccessKey command) {
    if (state.accessKey(command.accessKeyId()) == null) {
      return noSuchAccessKey(state, command.accessKeyId());
    }
    return applied(state, tables -> tables.withoutAccessKey(command.accessKeyId()));
  }

  private static Transition switchAccessKey(ControlState state, Command.SwitchAccessKey command) {
    AccessKey key = state.accessKey(command.accessKeyId());
    if (key == null) {
      return noSuchAccessKey(state, command.accessKeyId());
    }
    return applied(state, tables -> tables.withAccessKey(key.withActive(command.active())));
  }

  private static Transition noSuchAccessKey(ControlState state, String id) {
    return rejected(state, Reason.NO_SUCH_ACCESS_KEY, "there is no access key '" + id + "'");
  }

  static Transition applied(ControlState state, UnaryOperator<StateTables> change) {
    ControlState after = state.next(change.apply(state.tables()));
    return new Transition(after, new Applied(after.version()));
  }

  private static Transition noSuchBucket(ControlState state, String name) {
    return rejected(state, Reason.NO_SUCH_BUCKET, "there is no bucket '" + name + "'");
  }

  private static Transition noSuchUser(ControlState state, String id) {
    return rejected(state, Reason.NO_SUCH_USER, "there is no user with the id '" + id + "'");
  }

  static Transition rejected(ControlState state, Reason reason, String message) {
    return new Transition(state, new Rejected(reason, message));
  }
}
