package dev.tarn.cluster.control;

import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.object.BucketId;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The applied state of the control plane at one version. Immutable. */
public interface ControlState {
  /** The number of commands applied. */
  long version();

  /** The id that identifies this cluster; empty before it was assigned. */
  Optional<String> clusterId();

  /** The bucket of this name, or null. */
  @Nullable Bucket bucket(String name);

  /** The bucket of this identity, or null. */
  @Nullable Bucket bucket(BucketId id);

  /**
   * Whether a bucket of this id existed and was deleted. Once true, it stays true in all newer
   * states. False for ids that were lost when the log was restored from a copy.
   */
  boolean isDeleted(BucketId id);

  /** All buckets in the order of their names. */
  Collection<Bucket> buckets();

  /** The user of this id, or null. */
  @Nullable User user(String id);

  /** All users in the order of their names. */
  Collection<User> users();

  /** The key pair of this access key id, or null. */
  @Nullable AccessKey accessKey(String id);

  /** All key pairs in the order of their ids. */
  Collection<AccessKey> accessKeys();

  /** The newest cluster map; empty until an administrator adds the first targets. */
  Optional<ClusterMap> map();

  /** The announcement of the target of this id, or null. */
  @Nullable AnnouncedTarget announced(TargetId id);

  /** All targets that have announced themselves, members or not, in the order of their ids. */
  Collection<AnnouncedTarget> announced();

  /** This state without users and key pairs, which targets do not need. */
  ControlState withoutIdentities();
}
