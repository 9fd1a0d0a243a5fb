package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.object.BucketId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A change to the control state. It carries its time and every id it assigns, so that applying it
 * is deterministic.
 */
public sealed interface Command {
  /** When the command was made, in milliseconds since 1970. */
  long timeMs();

  /** Creates a bucket; the state machine assigns its id from a counter. */
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
   * @param id of the intended bucket, because another one may have its name now; empty in logs of
   *     the first format
   * @param version the {@link Bucket#settingsVersion} that the sender has read: the command is
   *     rejected if the bucket has another one; 0 for any
   */
  record SetBucket(
      long timeMs, String name, Optional<BucketId> id, BucketSettings settings, long version)
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
   * Begins to delete a bucket: targets that know this refuse changes of its content. Replaces an
   * attempt in progress. The deletion ends with {@link DeleteBucket} or {@link KeepBucket}.
   */
  record BeginDeletion(long timeMs, String name, BucketId id) implements Command {
    public BeginDeletion {
      requireNonNull(name, "name is null");
      requireNonNull(id, "id is null");
    }
  }

  /**
   * Ends an attempt to delete a bucket; the bucket stays.
   *
   * @param deletion the {@link Bucket.Deletion#version} of the attempt
   */
  record KeepBucket(long timeMs, String name, BucketId id, long deletion) implements Command {
    public KeepBucket {
      requireNonNull(name, "name is null");
      requireNonNull(id, "id is null");
    }
  }

  /**
   * Removes a bucket. The sender has verified that it is empty, if it is no cache.
   *
   * @param id of the intended bucket, because another one may have its name now; empty in logs of
   *     the first format
   * @param deletion the {@link Bucket.Deletion#version} of the attempt in which the bucket was
   *     found empty; 0 for a bucket with a backend, and in commands of earlier releases
   */
  record DeleteBucket(long timeMs, String name, Optional<BucketId> id, long deletion)
      implements Command {
    public DeleteBucket {
      requireNonNull(name, "name is null");
      requireNonNull(id, "id is null");
    }

    /** Removes a bucket whether or not it is empty. */
    public DeleteBucket(long timeMs, String name, Optional<BucketId> id) {
      this(timeMs, name, id, 0);
    }
  }

  /** Creates a user. */
  record CreateUser(long timeMs, User user) implements Command {
    public CreateUser {
      requireNonNull(user, "user is null");
    }
  }

  /** Removes a user who owns no bucket, with all their key pairs. */
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

  /** Disables a key pair, or makes it active again. */
  record SwitchAccessKey(long timeMs, String accessKeyId, boolean active) implements Command {
    public SwitchAccessKey {
      requireNonNull(accessKeyId, "accessKeyId is null");
    }
  }

  /** Assigns the cluster's id, which never changes afterwards. */
  record NameCluster(long timeMs, String clusterId) implements Command {
    public NameCluster {
      requireNonNull(clusterId, "clusterId is null");
      if (!clusterId.matches("[a-z0-9-]{1,64}")) {
        throw new IllegalArgumentException(
            "cluster id is '" + clusterId + "', must be 1 to 64 of a-z, 0-9 and '-'");
      }
    }
  }

  /** Announces a target. A member's new addresses go into the map immediately. */
  record AnnounceTarget(long timeMs, AnnouncedTarget target) implements Command {
    public AnnounceTarget {
      requireNonNull(target, "target is null");
    }
  }

  /** Forgets the announcement of a target that is not a member of the map. */
  record ForgetTarget(long timeMs, TargetId target) implements Command {
    public ForgetTarget {
      requireNonNull(target, "target is null");
    }
  }

  /** Adds an announced target to the map. */
  record AddTarget(long timeMs, TargetId target) implements Command {
    public AddTarget {
      requireNonNull(target, "target is null");
    }
  }

  /** Tells a member to serve nothing. Others take its cached slots; its primary slots wait. */
  record TakeOut(long timeMs, TargetId target) implements Command {
    public TakeOut {
      requireNonNull(target, "target is null");
    }
  }

  /**
   * A member confirms that it serves nothing, so that others may take all of its cached slots.
   *
   * @param stateEpoch the map epoch in which it was told so
   */
  record ConfirmOut(long timeMs, TargetId target, long stateEpoch) implements Command {
    public ConfirmOut {
      requireNonNull(target, "target is null");
    }
  }

  /** Lets a member serve again. */
  record TakeIn(long timeMs, TargetId target) implements Command {
    public TakeIn {
      requireNonNull(target, "target is null");
    }
  }

  /**
   * A home gives empty slots to their destinations. It has served nothing of them since it found
   * them empty.
   *
   * @param slots the epoch since which the home has each slot, by the slots' numbers
   */
  record GiveSlots(long timeMs, TargetId home, Map<Integer, Long> slots) implements Command {
    public GiveSlots {
      requireNonNull(home, "home is null");
      slots = Map.copyOf(requireNonNull(slots, "slots is null"));
    }
  }

  /** Removes a member that is out. Its primary data are lost; its disks are never used again. */
  record RemoveTarget(long timeMs, TargetId target) implements Command {
    public RemoveTarget {
      requireNonNull(target, "target is null");
    }
  }

  /**
   * Makes a map of exactly these members, each as announced. Rejected while there are buckets, if
   * it would move objects.
   */
  record SetMembers(long timeMs, Set<TargetId> members) implements Command {
    public SetMembers {
      members = Set.copyOf(requireNonNull(members, "members is null"));
    }
  }

  /**
   * Tells that the log was restored from a copy. The state continues after the newest version that
   * members know. No id that a lost command may have assigned is assigned again.
   *
   * @param newestVersion of the states that members know; above the present one
   */
  record Restore(long timeMs, long newestVersion) implements Command {}
}
