package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectMetadata;
import java.util.Map;

/**
 * The result of a read.
 *
 * @param head the metadata and the selected range
 * @param body exactly the bytes of that range
 */
public record ObjectRead(ObjectHead head, OutgoingBody body) {
  public ObjectRead {
    requireNonNull(head, "head is null");
    requireNonNull(body, "body is null");
  }

  /** The same read of an object with these tags. */
  public ObjectRead with(Map<String, String> tags) {
    ObjectMetadata tagged = head.metadata().with(head.metadata().attributes().with(tags));
    return new ObjectRead(
        new ObjectHead(tagged, head.offset(), head.length(), head.partCount()), body);
  }
}
