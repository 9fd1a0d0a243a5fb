package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

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
}
