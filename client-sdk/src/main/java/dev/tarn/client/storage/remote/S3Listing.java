package dev.tarn.client.storage.remote;

import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.S3Object;

/** The objects below a key prefix, a page at a time; S3 lists in the byte order of keys. */
final class S3Listing extends Spliterators.AbstractSpliterator<StoredObject> {
  private final StorageUrl folder;
  private final Iterator<S3Object> objects;

  private S3Listing(StorageUrl folder, Iterator<S3Object> objects) {
    super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.DISTINCT);
    this.folder = folder;
    this.objects = objects;
  }

  /** Fetches the first page, so that a wrong bucket is known at once. */
  static Stream<StoredObject> of(S3Client client, StorageUrl folder) throws StorageException {
    String path = folder.path();
    ListObjectsV2Request request =
        ListObjectsV2Request.builder()
            .bucket(folder.authority())
            .prefix(path.isEmpty() || path.endsWith("/") ? path : path + "/")
            .build();
    try {
      Iterator<S3Object> objects = client.listObjectsV2Paginator(request).contents().iterator();
      return objects.hasNext()
          ? StreamSupport.stream(new S3Listing(folder, objects), false)
          : Stream.empty();
    } catch (SdkException e) {
      throw Failures.translate(folder, "cannot list it", e);
    }
  }

  @Override
  public boolean tryAdvance(Consumer<? super StoredObject> action) {
    try {
      while (objects.hasNext()) {
        S3Object object = objects.next();
        if (!object.key().endsWith("/")) {
          StorageUrl url = new StorageUrl(folder.scheme(), folder.authority(), object.key());
          action.accept(new StoredObject(url, object.size(), object.eTag()));
          return true;
        }
      }
      return false;
    } catch (SdkException e) {
      throw new UncheckedIOException(Failures.translate(folder, "cannot list it", e));
    }
  }
}
