package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;

/**
 * The metadata of an object, and the selected range.
 *
 * @param metadata of the object
 * @param offset where the selected bytes begin
 * @param length the number of selected bytes; all for {@link Selection.Whole}
 * @param partCount the number of parts of a multipart object; 0 if it has none or they are not
 *     known
 */
public record ObjectHead(ObjectMetadata metadata, long offset, long length, int partCount) {
  /** A head whose parts are those of the metadata. */
  public ObjectHead(ObjectMetadata metadata, long offset, long length) {
    this(metadata, offset, length, metadata.parts().size());
  }

  public ObjectHead {
    requireNonNull(metadata, "metadata is null");
    if (offset < 0 || length < 0 || offset > metadata.sizeBytes() - length) {
      throw new IllegalArgumentException(
          "selected " + offset + "+" + length + " of " + metadata.sizeBytes() + " bytes");
    }
  }

  /** Applies a selection to an object; fails if the object does not have the selected bytes. */
  public static Outcome<ObjectHead> select(ObjectMetadata metadata, Selection selection) {
    long size = metadata.sizeBytes();
    if (selection instanceof Selection.Range range) {
      return range.first() >= size
          ? Outcome.failed(new Failure.RangeNotSatisfiable(size))
          : head(metadata, range.first(), Math.min(range.last(), size - 1) - range.first() + 1);
    }
    if (selection instanceof Selection.Suffix suffix) {
      long length = Math.min(suffix.lengthBytes(), size);
      return length == 0
          ? Outcome.failed(new Failure.RangeNotSatisfiable(size))
          : head(metadata, size - length, length);
    }
    if (selection instanceof Selection.Part part && !metadata.parts().isEmpty()) {
      return selectPart(metadata, part.number());
    }
    if (selection instanceof Selection.Part part && part.number() != 1) {
      return Outcome.failed(new Failure.NoSuchPart(part.number()));
    }
    return head(metadata, 0, size);
  }

  private static Outcome<ObjectHead> selectPart(ObjectMetadata metadata, int number) {
    long offset = 0;
    for (ObjectPart part : metadata.parts()) {
      if (part.number() == number) {
        return head(metadata, offset, part.sizeBytes());
      }
      offset += part.sizeBytes();
    }
    return Outcome.failed(new Failure.NoSuchPart(number));
  }

  private static Outcome<ObjectHead> head(ObjectMetadata metadata, long offset, long length) {
    return Outcome.success(new ObjectHead(metadata, offset, length));
  }
}
