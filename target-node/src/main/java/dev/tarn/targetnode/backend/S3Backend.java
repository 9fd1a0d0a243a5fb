package dev.tarn.targetnode.backend;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ListRequest;
import dev.tarn.cluster.target.PartPage;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.UploadPage;
import dev.tarn.cluster.target.UploadRequest;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** A backend accessed through the AWS SDK. */
public final class S3Backend implements Backend {
  private final S3Clients clients;
  private final BackendFailures failures;
  private final S3Objects objects;
  private final S3Listing listing;
  private final S3Uploads uploads;
  private final Optional<String> traceparent;
  private final FetchListener listener;

  private S3Backend(S3Clients clients, BackendLocation location) {
    this.clients = requireNonNull(clients, "clients is null");
    this.failures = new BackendFailures(location.toString());
    this.objects = new S3Objects(clients, location);
    this.listing = new S3Listing(clients.retrying(), location, objects);
    this.uploads = new S3Uploads(clients, location);
    this.traceparent = Optional.empty();
    this.listener = FetchListener.NONE;
  }

  private S3Backend(S3Backend other, Optional<String> traceparent, FetchListener listener) {
    this.clients = other.clients;
    this.failures = other.failures;
    this.objects = other.objects;
    this.listing = other.listing;
    this.uploads = other.uploads;
    this.traceparent = traceparent;
    this.listener = listener;
  }

  /** The backend with these settings; connects at the first call. */
  public static Backend open(BackendSettings settings, BackendLimits limits) {
    return open(settings, limits, () -> {});
  }

  /**
   * As {@link #open(BackendSettings, BackendLimits)}.
   *
   * @param hedged is run for each second request for what the backend is slow to answer
   */
  static Backend open(BackendSettings settings, BackendLimits limits, Runnable hedged) {
    return new S3Backend(S3Clients.open(settings, limits, hedged), BackendLocation.of(settings));
  }

  @Override
  public Backend tracedBy(String given) {
    return new S3Backend(this, Optional.of(given), listener);
  }

  @Override
  public Backend heardBy(FetchListener given) {
    return new S3Backend(this, traceparent, given);
  }

  @Override
  public boolean mayAsk() {
    return failures.mayAsk();
  }

  @Override
  public BackendObject head(ObjectKey key, Optional<String> version) {
    return calling(() -> objects.head(key, version));
  }

  @Override
  public BackendPart headPart(ObjectKey key, Optional<String> version, int number) {
    return calling(() -> objects.headPart(key, version, number));
  }

  @Override
  public BackendRead read(
      ObjectKey key, Optional<String> version, long first, long last, Optional<String> validator) {
    long begin = System.nanoTime();
    boolean isError = true;
    try {
      BackendRead read = calling(() -> objects.read(key, version, first, last, validator));
      isError = false;
      return read;
    } catch (BackendException e) {
      isError = !e.isAboutObject();
      throw e;
    } finally {
      listener.fetched(System.nanoTime() - begin, isError);
    }
  }

  @Override
  public BackendWrite put(
      ObjectKey key,
      ObjectAttributes attributes,
      InputStream body,
      long length,
      Preconditions preconditions) {
    return calling(() -> objects.put(key, attributes, body, length, preconditions));
  }

  @Override
  public BackendDeletion delete(
      ObjectKey key,
      Optional<String> version,
      Preconditions preconditions,
      boolean bypassesGovernance) {
    return calling(() -> objects.delete(key, version, preconditions, bypassesGovernance));
  }

  @Override
  public BackendWrite copy(TargetRequest.Copy request, Optional<String> sourceValidator) {
    return calling(() -> objects.copy(request, sourceValidator));
  }

  @Override
  public Map<String, String> tags(ObjectKey key, Optional<String> version) {
    return calling(() -> objects.tags(key, version));
  }

  @Override
  public void setTags(ObjectKey key, Optional<String> version, Map<String, String> tags) {
    calling(() -> {
      objects.setTags(key, version, tags);
      return true;
    });
  }

  @Override
  public ListPage list(String prefix, String delimiter, String after, int entriesMax) {
    return calling(() -> listing.objects(prefix, delimiter, after, entriesMax));
  }

  @Override
  public String createUpload(ObjectKey key, ObjectAttributes attributes) {
    return calling(() -> uploads.create(key, attributes));
  }

  @Override
  public ObjectPart putPart(
      ObjectKey key, String uploadId, int number, InputStream body, long length) {
    return calling(() -> uploads.putPart(key, uploadId, number, body, length));
  }

  @Override
  public ObjectPart copyPart(
      ObjectKey key, String uploadId, int number, TargetRequest.CopySource source, ByteSpan span) {
    return calling(() -> uploads.copyPart(key, uploadId, number, source, span));
  }

  @Override
  public BackendWrite complete(UploadRequest.Complete request) {
    return calling(() -> uploads.complete(request));
  }

  @Override
  public void abort(ObjectKey key, String uploadId) {
    calling(() -> uploads.abort(key, uploadId));
  }

  @Override
  public PartPage listParts(ObjectKey key, String uploadId, int afterNumber, int partsMax) {
    return calling(() -> listing.parts(key, uploadId, afterNumber, partsMax));
  }

  @Override
  public UploadPage listUploads(ListRequest.ListUploads request) {
    return calling(() -> listing.uploads(request));
  }

  @Override
  public void close() {
    clients.close();
  }

  private <T> T calling(Supplier<T> call) {
    return traceparent.isEmpty()
        ? failures.translating(call)
        : ScopedValue.where(TraceHeader.TRACEPARENT, traceparent.orElseThrow())
            .call(() -> failures.translating(call));
  }
}
