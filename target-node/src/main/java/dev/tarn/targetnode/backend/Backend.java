package dev.tarn.targetnode.backend;

import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ListRequest;
import dev.tarn.cluster.target.PartPage;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.UploadPage;
import dev.tarn.cluster.target.UploadRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;

/**
 * Another S3 endpoint, with a bucket and a prefix. Calls block, so callers run on virtual threads.
 * Every call may throw a {@link BackendException} with the failure for the client.
 */
public interface Backend extends AutoCloseable {
  /**
   * The same backend, for calls that belong to a trace. It shares everything with this one.
   *
   * @param traceparent in the form of W3C Trace Context; goes to the backend as a header
   */
  Backend tracedBy(String traceparent);

  /** The same backend, for calls that a listener hears of. It shares everything with this one. */
  Backend heardBy(FetchListener listener);

  /**
   * Whether callers should check cached objects for changes. False while the backend does not
   * answer, except once a second, so that what is cached is served without a wait.
   */
  boolean mayAsk();

  /** The metadata of an object; its tags are not among them. */
  BackendObject head(ObjectKey key, Optional<String> version);

  /**
   * Finds one part of an object.
   *
   * @param number 1 to 10,000; an object without parts has one
   */
  BackendPart headPart(ObjectKey key, Optional<String> version, int number);

  /** The tags of an object; none if the backend has no tags at all. */
  Map<String, String> tags(ObjectKey key, Optional<String> version);

  /**
   * Opens a range of an object.
   *
   * @param first the first byte, not negative
   * @param last the last byte, included; {@link Long#MAX_VALUE} for the end
   * @param validator that the object must still have, from its {@link BackendObject}; empty for any
   */
  BackendRead read(
      ObjectKey key, Optional<String> version, long first, long last, Optional<String> validator);

  /**
   * Stores an object. If the body fails before its end, nothing is stored.
   *
   * @param length the exact length of {@code body}
   */
  BackendWrite put(
      ObjectKey key,
      ObjectAttributes attributes,
      InputStream body,
      long length,
      Preconditions preconditions);

  /**
   * Deletes an object or a version; succeeds if it does not exist.
   *
   * @param bypassesGovernance whether to remove a version that is retained in the governance mode
   */
  BackendDeletion delete(
      ObjectKey key,
      Optional<String> version,
      Preconditions preconditions,
      boolean bypassesGovernance);

  /**
   * Copies within the backend.
   *
   * @param sourceValidator that the source must still have; empty for any
   */
  BackendWrite copy(TargetRequest.Copy request, Optional<String> sourceValidator);

  /** Replaces an object's tags. */
  void setTags(ObjectKey key, Optional<String> version, Map<String, String> tags);

  /** A page of the listing, as specified by {@link ListRequest.ListObjects}. */
  ListPage list(String prefix, String delimiter, String after, int entriesMax);

  /**
   * Begins a multipart upload and returns the backend's id. It declares no checksum algorithm to
   * the backend, because parts are sent without checksums: the client's are verified here.
   */
  String createUpload(ObjectKey key, ObjectAttributes attributes);

  /**
   * Stores a part.
   *
   * @param length the exact length of {@code body}
   */
  ObjectPart putPart(ObjectKey key, String uploadId, int number, InputStream body, long length);

  /**
   * Stores a part copied from an object of the backend.
   *
   * @param span which of the source's bytes
   */
  ObjectPart copyPart(
      ObjectKey key, String uploadId, int number, TargetRequest.CopySource source, ByteSpan span);

  /** Completes an upload: makes the object from its parts. */
  BackendWrite complete(UploadRequest.Complete request);

  /** Aborts an upload. */
  void abort(ObjectKey key, String uploadId);

  /** A page of an upload's parts. */
  PartPage listParts(ObjectKey key, String uploadId, int afterNumber, int partsMax);

  /** A page of the open uploads. */
  UploadPage listUploads(ListRequest.ListUploads request);

  @Override
  void close();

  /**
   * A number of bytes from an offset on.
   *
   * @param offset not negative
   * @param length not negative
   */
  record ByteSpan(long offset, long length) {}

  /**
   * The result of a write.
   *
   * @param etag for clients, without quotes
   * @param validator tells these bytes from later ones of the key
   * @param version the backend's version id, if it keeps versions
   */
  record BackendWrite(String etag, String validator, Optional<String> version) {}

  /**
   * The result of a delete.
   *
   * @param deleteMarker whether a delete marker was created or removed
   * @param version the version removed or created, if the backend keeps versions
   */
  record BackendDeletion(boolean deleteMarker, Optional<String> version) {}

  /**
   * The metadata that the backend has of an object.
   *
   * @param sizeBytes of the whole object
   * @param etag for clients, without quotes
   * @param validator tells these bytes from later ones of the key
   * @param version the backend's version id, if it keeps versions
   * @param modifiedMs in milliseconds since 1970; 0 if the backend does not give it
   */
  record BackendObject(
      long sizeBytes,
      String etag,
      String validator,
      Optional<String> version,
      long modifiedMs,
      ObjectAttributes attributes) {}

  /**
   * One part of an object.
   *
   * @param object the metadata of the whole object
   * @param span the bytes of the part
   * @param count of all parts; 0 if the object has none
   */
  record BackendPart(BackendObject object, ByteSpan span, int count) {}

  /**
   * An open range.
   *
   * @param object the metadata of the whole object, from the answer
   * @param body exactly the bytes of the range that exist
   * @param length the number of those bytes
   */
  record BackendRead(BackendObject object, InputStream body, long length) implements AutoCloseable {
    /** Copies at least one byte into the buffer and returns the number; -1 at the end. */
    public int read(ByteBuffer destination) throws IOException {
      byte[] chunk = new byte[destination.remaining()];
      int count = body.read(chunk);
      if (count > 0) {
        destination.put(chunk, 0, count);
      }
      return count;
    }

    /**
     * This read, if its object is still the expected one. The texts of ETags are compared: a proxy
     * may make some of them weak.
     *
     * @param validator of the expected object; empty for any
     */
    BackendRead expecting(Optional<String> validator) {
      if (validator.isEmpty()
          || new Validator(validator.orElseThrow()).etag().equals(object.etag())) {
        return this;
      }
      throw new BackendException(new Failure.PreconditionFailed("If-Match"), false, null);
    }

    /** Discards the rest of the body without reading it. */
    @Override
    public void close() {
      BackendBody.giveUp(body);
    }
  }
}
