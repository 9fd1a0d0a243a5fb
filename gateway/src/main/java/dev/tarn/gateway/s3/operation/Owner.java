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
  /** The owner of a bucket; the name is the id if the user no longer exists. */
  public static Owner of(Bucket bucket, ControlPlane control) {
    User user = control.state().user(bucket.ownerId());
    return new Owner(bucket.ownerId(), user == null ? bucket.ownerId() : user.name());
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
