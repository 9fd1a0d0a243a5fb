package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

/**
 * What a read found.
 *
 * @param head the metadata and the range that the selection came to
 * @param body exactly the bytes of that range
 */
public record ObjectRead(ObjectHead head, OutgoingBody body) {
  public ObjectRead {
    requireNonNull(head, "head is null");
    requireNonNull(body, "body is null");
  }
}
