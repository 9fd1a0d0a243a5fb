package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectPart;
import java.util.List;

/**
 * A page of an upload's parts.
 *
 * @param parts in order of number
 * @param truncated whether there are more
 * @param details of the upload
 */
public record PartPage(List<ObjectPart> parts, boolean truncated, UploadDetails details) {
  public PartPage {
    parts = List.copyOf(requireNonNull(parts, "parts is null"));
    requireNonNull(details, "details is null");
  }
}
