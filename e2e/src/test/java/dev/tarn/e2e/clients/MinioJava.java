package dev.tarn.e2e.clients;

import dev.tarn.e2e.process.TarnProcess;
import io.minio.GetObjectArgs;
import io.minio.GetPresignedObjectUrlArgs;
import io.minio.Http;
import io.minio.ListObjectsArgs;
import io.minio.MakeBucketArgs;
import io.minio.MinioClient;
import io.minio.PutObjectArgs;
import io.minio.RemoveBucketArgs;
import io.minio.RemoveObjectArgs;
import io.minio.StatObjectArgs;
import io.minio.UploadObjectArgs;
import io.minio.errors.ErrorResponseException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** minio-java. */
final class MinioJava implements JavaClient {
  private static final long PART_BYTES = 8L << 20;

  private final MinioClient minio;

  MinioJava(URI endpoint) throws Exception {
    minio =
        MinioClient.builder()
            .endpoint(endpoint.toString())
            .credentials(TarnProcess.ACCESS_KEY, TarnProcess.SECRET_KEY)
            .build();
    minio.ignoreCertCheck();
  }

  /** It takes a key for a path, and joins what lies between slashes. */
  @Override
  public boolean names(String key) {
    return !key.contains("//");
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
  public List<String> list(String bucket) throws Exception {
    List<String> keys = new ArrayList<>();
    for (var item :
        minio.listObjects(
            ListObjectsArgs.builder().bucket(bucket).recursive(true).maxKeys(2).build())) {
      keys.add(item.get().objectName());
    }
    return keys;
  }

  @Override
  public void delete(String bucket, String key) throws Exception {
    minio.removeObject(RemoveObjectArgs.builder().bucket(bucket).object(key).build());
  }

  @Override
  public boolean exists(String bucket, String key) throws Exception {
    try {
      minio.statObject(StatObjectArgs.builder().bucket(bucket).object(key).build());
      return true;
    } catch (ErrorResponseException e) {
      return false;
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
