package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.TargetRequest.CopySource;
import dev.tarn.cluster.target.TargetRequest.Copying;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * A request about one open multipart upload, identified by key and id.
 *
 * @param <R> the value of a success
 */
public sealed interface UploadRequest<R> extends TargetRequest.OfKey<R> {
  /** The least number of bytes of a part that is not the last of its object. */
  long PART_BYTES_MIN = 5L << 20;

  /** The upload's id. */
  String uploadId();

  /** The part's number; 0 for a request about the whole upload. */
  default int number() {
    return 0;
  }

  /**
   * Stores a part, and replaces one of the same number. The target computes the upload's declared
   * algorithm, whether or not the request asks for it.
   */
  record PutPart(
      CallScope scope, ObjectKey key, String uploadId, int number, Set<ChecksumAlgorithm> checksums)
      implements UploadRequest<ObjectPart> {
    public PutPart {
      requireNonNull(scope, "scope is null");
      requireNonNull(key, "key is null");
      requireNonNull(uploadId, "uploadId is null");
      checksums = Set.copyOf(checksums);
      checkPartNumber(number);
    }

    @Override
    public boolean hasBody() {
      return true;
    }

    @Override
    public PutPart at(long since, Deadline deadline) {
      return new PutPart(scope.at(since, deadline), key, uploadId, number, checksums);
    }

    @Override
    public <C> CompletionStage<Outcome<ObjectPart>> on(TargetHandler<C> handler, C call) {
      return handler.putPart(this, call);
    }
  }

  /**
   * Stores a part copied from an object of the same owner, otherwise like {@link PutPart}. A range
   * must end within the source.
   */
  record CopyPart(
      CallScope scope,
      ObjectKey key,
      String uploadId,
      int number,
      CopySource source,
      Selection selection)
      implements UploadRequest<ObjectPart>, Copying<ObjectPart> {
    public CopyPart {
      requireNonNull(scope, "scope is null");
      requireNonNull(key, "key is null");
      requireNonNull(uploadId, "uploadId is null");
      requireNonNull(source, "source is null");
      requireNonNull(selection, "selection is null");
      checkPartNumber(number);
    }

    /** The bytes that this copies from its source; fails if the source ends before a range. */
    public Outcome<ObjectHead> select(ObjectMetadata metadata) {
      long size = metadata.sizeBytes();
      return selection instanceof Selection.Range range
              && range.last() != Long.MAX_VALUE
              && range.last() >= size
          ? Outcome.failed(new Failure.RangeNotSatisfiable(size))
          : ObjectHead.select(metadata, selection);
    }

    @Override
    public CopyPart at(long since, Deadline deadline) {
      return new CopyPart(
          scope.at(since, deadline), key, uploadId, number, source.within(deadline), selection);
    }

    @Override
    public CopyPart from(CopySource other) {
      return new CopyPart(scope, key, uploadId, number, other, selection);
    }

    @Override
    public <C> CompletionStage<Outcome<ObjectPart>> on(TargetHandler<C> handler, C call) {
      return handler.copyPart(this, call);
    }

    @Override
    public CompletionStage<Outcome<ObjectPart>> by(Copier copier) {
      return copier.copyPart(this);
    }
  }

  /**
   * A part that {@link Complete} names.
   *
   * @param etag without quotes; empty if the client gave none
   * @param checksums as the client gave them, none or more
   */
  record CompletedPart(int number, String etag, List<ObjectChecksum> checksums) {
    public CompletedPart {
      requireNonNull(etag, "etag is null");
      checksums = List.copyOf(checksums);
    }
  }

  /**
   * Makes the object from its parts, without copying bytes. A repeated request has the same answer
   * as long as that object is the newest version.
   *
   * <p>The object gets a checksum of the upload's declared algorithm and type. If the upload
   * declared none, the object gets checksums of the algorithms that every named part has, each of
   * {@link ChecksumType#defaultOf its default type}.
   *
   * @param parts in the client's order
   * @param sizeBytes the size of the object that the client expects
   * @param checksum the checksum of the object that the client expects
   */
  record Complete(
      CallScope scope,
      ObjectKey key,
      String uploadId,
      List<CompletedPart> parts,
      OptionalLong sizeBytes,
      Optional<ObjectChecksum> checksum,
      Preconditions preconditions)
      implements UploadRequest<ObjectMetadata> {
    public Complete {
      requireNonNull(scope, "scope is null");
      requireNonNull(key, "key is null");
      requireNonNull(uploadId, "uploadId is null");
      requireNonNull(sizeBytes, "sizeBytes is null");
      requireNonNull(checksum, "checksum is null");
      requireNonNull(preconditions, "preconditions is null");
      parts = List.copyOf(parts);
    }

    /** The failure if the parts do not have the size that the client expects; empty if they do. */
    public Optional<Failure> refuseSize(List<ObjectPart> stored) {
      long actual = stored.stream().mapToLong(ObjectPart::sizeBytes).sum();
      return sizeBytes.isEmpty() || sizeBytes.orElseThrow() == actual
          ? Optional.empty()
          : Optional.of(
              new Failure.InvalidRequest(
                  "The parts have "
                      + actual
                      + " bytes, you specified "
                      + sizeBytes.orElseThrow()
                      + "."));
    }

    @Override
    public Complete at(long since, Deadline deadline) {
      return new Complete(
          scope.at(since, deadline), key, uploadId, parts, sizeBytes, checksum, preconditions);
    }

    @Override
    public <C> CompletionStage<Outcome<ObjectMetadata>> on(TargetHandler<C> handler, C call) {
      return handler.complete(this, call);
    }
  }

  /** Aborts an upload and frees its parts. */
  record Abort(CallScope scope, ObjectKey key, String uploadId) implements UploadRequest<Aborted> {
    public Abort {
      requireNonNull(scope, "scope is null");
      requireNonNull(key, "key is null");
      requireNonNull(uploadId, "uploadId is null");
    }

    @Override
    public Abort at(long since, Deadline deadline) {
      return new Abort(scope.at(since, deadline), key, uploadId);
    }

    @Override
    public <C> CompletionStage<Outcome<Aborted>> on(TargetHandler<C> handler, C call) {
      return handler.abort(this, call);
    }
  }

  /**
   * Lists a page of an upload's parts in order of number.
   *
   * @param afterNumber parts with greater numbers are listed
   * @param partsMax 0 to 1000
   */
  record ListParts(CallScope scope, ObjectKey key, String uploadId, int afterNumber, int partsMax)
      implements UploadRequest<PartPage> {
    public ListParts {
      requireNonNull(scope, "scope is null");
      requireNonNull(key, "key is null");
      requireNonNull(uploadId, "uploadId is null");
      if (partsMax < 0 || partsMax > PAGE_MAX) {
        throw new IllegalArgumentException(
            "page size is " + partsMax + ", must be 0 to " + PAGE_MAX);
      }
    }

    @Override
    public boolean readsOnly() {
      return true;
    }

    @Override
    public ListParts at(long since, Deadline deadline) {
      return new ListParts(scope.at(since, deadline), key, uploadId, afterNumber, partsMax);
    }

    @Override
    public <C> CompletionStage<Outcome<PartPage>> on(TargetHandler<C> handler, C call) {
      return handler.listParts(this, call);
    }
  }

  private static void checkPartNumber(int number) {
    if (number < 1 || number > ObjectPart.NUMBER_MAX) {
      throw new IllegalArgumentException(
          "part number is " + number + ", must be 1 to " + ObjectPart.NUMBER_MAX);
    }
  }
}
