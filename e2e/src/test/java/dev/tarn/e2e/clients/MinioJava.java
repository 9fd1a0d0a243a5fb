package dev.tarn.e2e.clients;

import io.minio.CopyObjectArgs;
import io.minio.GetObjectArgs;
import io.minio.GetPresignedObjectUrlArgs;
import io.minio.Http;
import io.minio.ListObjectsArgs;
import io.minio.MakeBucketArgs;
import io.minio.MinioClient;
import io.minio.PutObjectArgs;
import io.minio.RemoveBucketArgs;
import io.minio.RemoveObjectArgs;
import io.minio.RemoveObjectsArgs;
import io.minio.SourceObject;
import io.minio.StatObjectArgs;
import io.minio.UploadObjectArgs;
import io.minio.errors.ErrorResponseException;
import io.minio.messages.DeleteRequest;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** minio-java. */
final class MinioJava implements JavaClient {
  private static final long PART_BYTES = 8L << 20;

  private final MinioClient minio;

  MinioJava(S3Endpoint endpoint) throws Exception {
    minio =
        MinioClient.builder()
            .endpoint(endpoint.endpoint().toString())
            .credentials(endpoint.accessKey(), endpoint.secretKey())
            .build();
    minio.ignoreCertCheck();
  }

  @Override
  public String version() {
    return "minio-java " + MinioClient.class.getPackage().getImplementationVersion();
  }

  /** It takes a key for a path: it joins what lies between slashes, and refuses two dots. */
  @Override
  public boolean names(String key) {
    return !key.contains("//")
        && !key.startsWith("/")
        && Stream.of(key.split("/")).noneMatch(".."::equals);
  }

  @Override
  public String note() {
    return "no key with // or .., or with / at its beginning: it refuses or changes them itself";
  }

  @Override
  public void createBucket(String bucket) throws Exception {
    minio.makeBucket(MakeBucketArgs.builder().bucket(bucket).build());
  }

  @Override
  public String put(String bucket, String key, byte[] bytes) throws Exception {
    PutObjectArgs put =
        PutObjectArgs.builder().bucket(bucket).object(key).data(bytes, bytes.length).build();
    return minio.putObject(put).etag();
  }

  @Override
  public boolean putIfAbsent(String bucket, String key, byte[] bytes) throws Exception {
    PutObjectArgs put =
        PutObjectArgs.builder()
            .bucket(bucket)
            .object(key)
            .extraHeaders(Map.of("If-None-Match", "*"))
            .data(bytes, bytes.length)
            .build();
    try {
      minio.putObject(put);
      return true;
    } catch (ErrorResponseException e) {
      if (e.response().code() == 412) {
        return false;
      }
      throw e;
    }
  }

  @Override
  public byte[] get(String bucket, String key) throws Exception {
    try (var body = minio.getObject(GetObjectArgs.builder().bucket(bucket).object(key).build())) {
      return body.readAllBytes();
    }
  }

  @Override
  public byte[] getRange(String bucket, String key, long first, long last) throws Exception {
    GetObjectArgs get =
        GetObjectArgs.builder()
            .bucket(bucket)
            .object(key)
            .offset(first)
            .length(last - first + 1)
            .build();
    try (var body = minio.getObject(get)) {
      return body.readAllBytes();
    }
  }

  @Override
  public void uploadInParts(String bucket, String key, Path file) throws Exception {
    minio.uploadObject(
        UploadObjectArgs.builder()
            .bucket(bucket)
            .object(key)
            .filename(file.toString(), PART_BYTES)
            .build());
  }

  @Override
  public void copy(String bucket, String from, String to) throws Exception {
    minio.copyObject(
        CopyObjectArgs.builder()
            .bucket(bucket)
            .object(to)
            .source(SourceObject.builder().bucket(bucket).object(from).build())
            .build());
  }

  @Override
  public List<String> list(String bucket, int pageKeys) throws Exception {
    List<String> keys = new ArrayList<>();
    for (var item :
        minio.listObjects(
            ListObjectsArgs.builder().bucket(bucket).recursive(true).maxKeys(pageKeys).build())) {
      keys.add(item.get().objectName());
    }
    return keys;
  }

  @Override
  public void delete(String bucket, String key) throws Exception {
    minio.removeObject(RemoveObjectArgs.builder().bucket(bucket).object(key).build());
  }

  @Override
  public void deleteAll(String bucket, List<String> keys) throws Exception {
    List<DeleteRequest.Object> objects = keys.stream().map(DeleteRequest.Object::new).toList();
    for (var failure :
        minio.removeObjects(RemoveObjectsArgs.builder().bucket(bucket).objects(objects).build())) {
      throw new IllegalStateException("not deleted: " + failure.get());
    }
  }

  @Override
  public String etag(String bucket, String key) throws Exception {
    try {
      return minio
          .statObject(StatObjectArgs.builder().bucket(bucket).object(key).build())
          .etag()
          .replace("\"", "");
    } catch (ErrorResponseException e) {
      if (e.response().code() == 404) {
        return "";
      }
      throw e;
    }
  }

  @Override
  public URI presign(String bucket, String key) throws Exception {
    return URI.create(
        minio.getPresignedObjectUrl(
            GetPresignedObjectUrlArgs.builder()
                .method(Http.Method.GET)
                .bucket(bucket)
                .object(key)
                .expiry(60)
                .build()));
  }

  @Override
  public void deleteBucket(String bucket) throws Exception {
    minio.removeBucket(RemoveBucketArgs.builder().bucket(bucket).build());
  }

  @Override
  public void close() {
    // Its connections end with the process.
  }
}
