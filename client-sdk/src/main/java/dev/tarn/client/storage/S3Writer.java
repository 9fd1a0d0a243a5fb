package dev.tarn.client.storage;

import dev.tarn.client.storage.StorageException.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/**
 * Writes one S3 object: by one PUT at the commit if it fits into one part, otherwise by a multipart
 * upload, which is aborted unless committed. Holds one part in memory.
 */
final class S3Writer extends ObjectWriter {
  private static final int PARTS_MAX = 10_000;

  /** After so many parts the part length doubles, so that no object needs too many parts. */
  private static final int PARTS_OF_ONE_LENGTH = 2_000;

  private static final int FIRST_BUFFER_BYTES = 64 * 1024;

  private final S3Client client;
  private final StorageUrl url;
  private final int firstPartBytes;
  private final List<CompletedPart> parts = new ArrayList<>();
  private ByteBuffer part = ByteBuffer.allocate(FIRST_BUFFER_BYTES);
  private @Nullable String uploadId;
  private long size;
  private boolean open = true;

  S3Writer(S3Client client, StorageUrl url, int partBytes) {
    this.client = client;
    this.url = url;
    this.firstPartBytes = partBytes;
  }

  @Override
  public StorageUrl url() {
    return url;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    checkOpen();
    int length = source.remaining();
    while (source.hasRemaining()) {
      if (!part.hasRemaining()) {
        makeRoom(source.remaining());
      }
      int count = Math.min(part.remaining(), source.remaining());
      part.put(part.position(), source, source.position(), count);
      part.position(part.position() + count);
      source.position(source.position() + count);
    }
    size += length;
    return length;
  }

  @Override
  public StoredObject commit() throws IOException {
    checkOpen();
    try {
      String etag = uploadId == null ? putWhole() : completeUpload(uploadId);
      open = false;
      return new StoredObject(url, size, etag);
    } catch (SdkException e) {
      throw SdkFailures.translate(url, "cannot finish it", e);
    }
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() throws IOException {
    if (!open) {
      return;
    }
    open = false;
    String upload = uploadId;
    if (upload == null) {
      return;
    }
    try {
      client.abortMultipartUpload(
          request -> request.bucket(url.authority()).key(url.path()).uploadId(upload));
    } catch (SdkException e) {
      throw SdkFailures.translate(
          url, "cannot abort multipart upload %s, its parts stay".formatted(upload), e);
    }
  }

  private void makeRoom(int wanted) throws IOException {
    int partBytes = partBytes();
    if (part.capacity() < partBytes) {
      long doubled = Math.max(2L * part.capacity(), (long) part.position() + wanted);
      ByteBuffer larger = ByteBuffer.allocate((int) Math.min(partBytes, doubled));
      part = larger.put(part.flip());
      return;
    }
    try {
      if (uploadId == null) {
        uploadId =
            client
                .createMultipartUpload(request -> request.bucket(url.authority()).key(url.path()))
                .uploadId();
      }
      uploadPart(uploadId);
    } catch (SdkException e) {
      throw SdkFailures.translate(url, "cannot write it at byte %d".formatted(size), e);
    }
  }

  private int partBytes() {
    int doublings = parts.size() / PARTS_OF_ONE_LENGTH;
    return (int) Math.min(Integer.MAX_VALUE - 8L, (long) firstPartBytes << doublings);
  }

  private void uploadPart(String upload) throws StorageException {
    int number = parts.size() + 1;
    if (number > PARTS_MAX) {
      throw new StorageException(
          Kind.INVALID,
          url,
          "the object needs more than %d parts; set a larger part length".formatted(PARTS_MAX));
    }
    String etag =
        client
            .uploadPart(
                request ->
                    request
                        .bucket(url.authority())
                        .key(url.path())
                        .uploadId(upload)
                        .partNumber(number),
                partBody())
            .eTag();
    parts.add(CompletedPart.builder().partNumber(number).eTag(etag).build());
    part.clear();
  }

  /** The part's bytes without a copy; the client may read them again for a retry. */
  private RequestBody partBody() {
    return RequestBody.fromContentProvider(
        () -> new ByteArrayInputStream(part.array(), 0, part.position()),
        part.position(),
        "application/octet-stream");
  }

  private String putWhole() {
    return client
        .putObject(request -> request.bucket(url.authority()).key(url.path()), partBody())
        .eTag();
  }

  private String completeUpload(String upload) throws StorageException {
    if (part.position() > 0) {
      uploadPart(upload);
    }
    return client
        .completeMultipartUpload(request ->
            request
                .bucket(url.authority())
                .key(url.path())
                .uploadId(upload)
                .multipartUpload(completed -> completed.parts(parts)))
        .eTag();
  }

  private void checkOpen() throws StorageException {
    if (!open) {
      throw new StorageException(Kind.INVALID, url, "the writer is closed");
    }
  }
}
