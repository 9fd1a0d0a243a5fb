package dev.tarn.gateway.s3.operation;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.User;
import dev.tarn.gateway.xml.XmlWriter;

/**
 * The owner of a bucket and of its objects, as documents show it.
 *
 * @param id of the user
 * @param displayName the user's name
 */
public record Owner(String id, String displayName) {
  private static final String ANONYMOUS = "65a011a29cdf8ec533ec3d1ccaae921c";

  /** The owner of a bucket; the name is the id if the user no longer exists. */
  public static Owner of(Bucket bucket, ControlPlane control) {
    return of(bucket.ownerId(), control);
  }

  /**
   * A user by id; the name is the id if the user no longer exists.
   *
   * @param userId empty for an anonymous caller, who has the id that AWS gives to all of them
   */
  public static Owner of(String userId, ControlPlane control) {
    if (userId.isEmpty()) {
      return new Owner(ANONYMOUS, "anonymous");
    }
    User user = control.state().user(userId);
    return new Owner(userId, user == null ? userId : user.name());
  }

  /** A user as an owner. */
  public static Owner of(User user) {
    return new Owner(user.id(), user.name());
  }

  /** Writes an element of this name. */
  public void write(XmlWriter xml, String element) {
    xml.open(element).element("ID", id).element("DisplayName", displayName).close(element);
  }
}
