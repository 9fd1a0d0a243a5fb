package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

/**
 * A change to the control state. It carries its time and every id it makes, so that applying it is
 * deterministic.
 */
public sealed interface Command {
  /** When the command was made, in milliseconds since 1970. */
  long timeMs();

  /** Makes a bucket; its id is given by the state machine from its own counter. */
  record CreateBucket(long timeMs, String name, String ownerId, BucketSettings settings)
      implements Command {
    public CreateBucket {
      requireNonNull(name, "name is null");
      requireNonNull(ownerId, "ownerId is null");
      requireNonNull(settings, "settings is null");
    }
  }

  /** Replaces a bucket's settings. */
  record SetBucket(long timeMs, String name, BucketSettings settings) implements Command {
    public SetBucket {
      requireNonNull(name, "name is null");
      requireNonNull(settings, "settings is null");
    }
  }

  /** Removes a bucket; whoever submits it has seen that it is empty. */
  record DeleteBucket(long timeMs, String name) implements Command {
    public DeleteBucket {
      requireNonNull(name, "name is null");
    }
  }

  /** Makes a user. */
  record CreateUser(long timeMs, User user) implements Command {
    public CreateUser {
      requireNonNull(user, "user is null");
    }
  }

  /** Removes a user who owns no bucket, with all key pairs. */
  record DeleteUser(long timeMs, String userId) implements Command {
    public DeleteUser {
      requireNonNull(userId, "userId is null");
    }
  }

  /** Adds a key pair to a user. */
  record CreateAccessKey(long timeMs, AccessKey key) implements Command {
    public CreateAccessKey {
      requireNonNull(key, "key is null");
    }
  }

  /** Removes a key pair. */
  record DeleteAccessKey(long timeMs, String accessKeyId) implements Command {
    public DeleteAccessKey {
      requireNonNull(accessKeyId, "accessKeyId is null");
    }
  }
}
