package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.object.BucketId;
import java.util.Optional;
import java.util.Set;

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

  /**
   * Replaces a bucket's settings.
   *
   * @param id of the bucket that is meant, which another one may have followed under its name;
   *     empty in logs of the first format
   */
  record SetBucket(long timeMs, String name, Optional<BucketId> id, BucketSettings settings)
      implements Command {
    public SetBucket {
      requireNonNull(name, "name is null");
      requireNonNull(id, "id is null");
      requireNonNull(settings, "settings is null");
    }
  }

  /** Changes one part of a bucket's configuration. */
  record ConfigureBucket(long timeMs, String name, BucketId id, BucketChange change)
      implements Command {
    public ConfigureBucket {
      requireNonNull(name, "name is null");
      requireNonNull(id, "id is null");
      requireNonNull(change, "change is null");
    }
  }

  /**
   * Removes a bucket; whoever submits it has seen that it is empty.
   *
   * @param id of the bucket that was seen, which another one may have followed under its name;
   *     empty in logs of the first format
   */
  record DeleteBucket(long timeMs, String name, Optional<BucketId> id) implements Command {
    public DeleteBucket {
      requireNonNull(name, "name is null");
      requireNonNull(id, "id is null");
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

  /** Gives the cluster its id, once and for ever. */
  record NameCluster(long timeMs, String clusterId) implements Command {
    public NameCluster {
      requireNonNull(clusterId, "clusterId is null");
      if (!clusterId.matches("[a-z0-9-]{1,64}")) {
        throw new IllegalArgumentException(
            "cluster id is '" + clusterId + "', must be 1 to 64 of a-z, 0-9 and '-'");
      }
    }
  }

  /** Tells what a target is. A member's new addresses go into the map at once. */
  record AnnounceTarget(long timeMs, AnnouncedTarget target) implements Command {
    public AnnounceTarget {
      requireNonNull(target, "target is null");
    }
  }

  /** Forgets the announcement of a target that is no member of the map. */
  record ForgetTarget(long timeMs, TargetId target) implements Command {
    public ForgetTarget {
      requireNonNull(target, "target is null");
    }
  }

  /**
   * Makes the map that has exactly these members, each as it has announced itself. Where that would
   * move objects it needs that there are no buckets.
   */
  record SetMembers(long timeMs, Set<TargetId> members) implements Command {
    public SetMembers {
      members = Set.copyOf(requireNonNull(members, "members is null"));
    }
  }

  /**
   * Says that the log was restored from a copy: the state goes on behind the newest one that
   * members know, and no id that a lost command may have given is given again.
   *
   * @param newestVersion of the states that members know; above the present one
   */
  record Restore(long timeMs, long newestVersion) implements Command {}
}
