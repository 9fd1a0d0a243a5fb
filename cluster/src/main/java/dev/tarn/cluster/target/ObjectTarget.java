package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.TargetRequest.Abort;
import dev.tarn.cluster.target.TargetRequest.Complete;
import dev.tarn.cluster.target.TargetRequest.Copy;
import dev.tarn.cluster.target.TargetRequest.CopyPart;
import dev.tarn.cluster.target.TargetRequest.CreateUpload;
import dev.tarn.cluster.target.TargetRequest.Delete;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.target.TargetRequest.Head;
import dev.tarn.cluster.target.TargetRequest.ListObjects;
import dev.tarn.cluster.target.TargetRequest.ListParts;
import dev.tarn.cluster.target.TargetRequest.ListUploads;
import dev.tarn.cluster.target.TargetRequest.ListVersions;
import dev.tarn.cluster.target.TargetRequest.Put;
import dev.tarn.cluster.target.TargetRequest.PutPart;
import dev.tarn.cluster.target.TargetRequest.SetAcl;
import dev.tarn.cluster.target.TargetRequest.SetTags;
import java.util.concurrent.CompletionStage;

/**
 * The target contract: the core of S3 without XML and signatures, as the node that owns an object
 * offers it. One binding is in-process, one is HTTP/1.1; both behave the same.
 *
 * <p>Calls never block. Stages complete with an {@link Outcome}, on any thread, possibly before the
 * call returns. A write's preconditions are evaluated at its commit. What a call acknowledges is
 * visible to every later call, and as durable as the bucket's settings say.
 *
 * <p>The bucket's versioning decides what becomes of the versions before a write: off, there is one
 * null version, which a write replaces; enabled, a write makes a version of its own id and those
 * before it stay; suspended, a write replaces the null version wherever it stands, and is current.
 */
public interface ObjectTarget {
  /** Reads an object or a range of it; the caller closes the body of a success. */
  CompletionStage<Outcome<ObjectRead>> get(Get request);

  /** Reads an object's metadata. */
  CompletionStage<Outcome<ObjectHead>> head(Head request);

  /** Stores an object, whole or not at all. */
  CompletionStage<Outcome<ObjectMetadata>> put(Put request, IncomingBody body);

  /**
   * Deletes; deleting what is not there succeeds. With a version, exactly that one is removed and
   * the newest one left is current. Without, a bucket that keeps versions gets a delete marker as
   * the newest version, in the null version's place where versioning is suspended.
   */
  CompletionStage<Outcome<Deleted>> delete(Delete request);

  /**
   * Copies an object whose source has the same owner. The copy keeps the source's ETag, checksums
   * and parts, and may share its bytes; with {@link Copy#checksums()} it is computed anew: one
   * piece, its ETag the MD5, these checksums over all bytes and no others, as if it had been put.
   */
  CompletionStage<Outcome<ObjectMetadata>> copy(Copy request);

  /** Replaces an object's tags and gives its metadata. */
  CompletionStage<Outcome<ObjectMetadata>> setTags(SetTags request);

  /** Replaces an object's ACL and gives its metadata. */
  CompletionStage<Outcome<ObjectMetadata>> setAcl(SetAcl request);

  /**
   * Lists a page of objects and common prefixes in the order of the keys' bytes; keys whose newest
   * version is a delete marker are left out.
   */
  CompletionStage<Outcome<ListPage>> listObjects(ListObjects request);

  /**
   * Lists a page of versions, delete markers and common prefixes in the order of the keys' bytes,
   * of a key the newest version first.
   */
  CompletionStage<Outcome<VersionPage>> listVersions(ListVersions request);

  /** Begins a multipart upload and gives its id, which is URL-safe text. */
  CompletionStage<Outcome<String>> createUpload(CreateUpload request);

  /**
   * Stores a part; one of the same number is replaced. The algorithm that the upload declared is
   * computed whether or not the request asks for it.
   */
  CompletionStage<Outcome<ObjectPart>> putPart(PutPart request, IncomingBody body);

  /** Stores a part by copying from an object of the same owner, otherwise as {@link #putPart}. */
  CompletionStage<Outcome<ObjectPart>> copyPart(CopyPart request);

  /**
   * Makes the object of its parts, without copying bytes. Asked again, it gives the same answer as
   * long as that object is the newest version.
   *
   * <p>The object gets a checksum of the algorithm and type that the upload declared. Where it
   * declared none, it gets those of the algorithms that every part named has, each by {@link
   * ChecksumType#defaultOf its default type}.
   */
  CompletionStage<Outcome<ObjectMetadata>> complete(Complete request);

  /** Gives up an upload and frees its parts. */
  CompletionStage<Outcome<Aborted>> abort(Abort request);

  /** Lists a page of an upload's parts in order of number. */
  CompletionStage<Outcome<PartPage>> listParts(ListParts request);

  /** Lists a page of a bucket's open uploads in order of key, then of upload id. */
  CompletionStage<Outcome<UploadPage>> listUploads(ListUploads request);

  /**
   * What a read found.
   *
   * @param head the metadata and the range that the selection came to
   * @param body exactly the bytes of that range
   */
  record ObjectRead(ObjectHead head, OutgoingBody body) {
    public ObjectRead {
      requireNonNull(head, "head is null");
      requireNonNull(body, "body is null");
    }
  }

  /**
   * What is known of an object and of the bytes selected.
   *
   * @param metadata all but the bytes
   * @param offset where the selected bytes begin
   * @param length how many are selected; all for {@link Selection.Whole}
   */
  record ObjectHead(ObjectMetadata metadata, long offset, long length) {
    public ObjectHead {
      requireNonNull(metadata, "metadata is null");
      if (offset < 0 || length < 0 || offset > metadata.sizeBytes() - length) {
        throw new IllegalArgumentException(
            "selected " + offset + "+" + length + " of " + metadata.sizeBytes() + " bytes");
      }
    }

    /** What the selection comes to in this object, or why it comes to nothing. */
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

  /**
   * What a delete did.
   *
   * @param existed whether there was something to delete: the version named, or an object whose
   *     newest version is no delete marker
   * @param deleteMarker whether a delete marker was made, or one was removed
   * @param versionText the version removed or made, as S3 shows it, and the one named where it was
   *     not there; empty in a bucket that has never had versions
   */
  record Deleted(boolean existed, boolean deleteMarker, String versionText) {
    public Deleted {
      requireNonNull(versionText, "versionText is null");
    }
  }

  /** The upload is gone. */
  record Aborted() {}
}
