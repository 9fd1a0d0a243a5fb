package dev.tarn.e2e.clients;

import java.io.RandomAccessFile;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Object;

/** The AWS SDK's blocking client. */
final class SdkSync implements JavaClient {
  private final URI endpoint;
  private final S3Client s3;

  SdkSync(URI endpoint) {
    this.endpoint = endpoint;
    this.s3 = SdkSettings.sync(endpoint);
  }

  @Override
  public void createBucket(String bucket) {
    s3.createBucket(create -> create.bucket(bucket));
  }

  @Override
  public String put(String bucket, String key, byte[] bytes) {
    return s3.putObject(put -> put.bucket(bucket).key(key), RequestBody.fromBytes(bytes))
        .eTag()
        .replace("\"", "");
  }

  @Override
  public byte[] get(String bucket, String key) {
    return s3.getObjectAsBytes(get -> get.bucket(bucket).key(key)).asByteArray();
  }

  @Override
  public byte[] getRange(String bucket, String key, long first, long last) {
    return s3.getObjectAsBytes(
            get -> get.bucket(bucket).key(key).range("bytes=" + first + "-" + last))
        .asByteArray();
  }

  @Override
  public void uploadInParts(String bucket, String key, Path file) throws Exception {
    String upload = s3.createMultipartUpload(create -> create.bucket(bucket).key(key)).uploadId();
    List<CompletedPart> parts = new ArrayList<>();
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      for (long at = 0; at < in.length(); at += SdkSettings.PART_BYTES) {
        byte[] bytes = new byte[(int) Math.min(SdkSettings.PART_BYTES, in.length() - at)];
        in.readFully(bytes);
        int number = parts.size() + 1;
        String etag =
            s3.uploadPart(
                    part -> part.bucket(bucket).key(key).uploadId(upload).partNumber(number),
                    RequestBody.fromBytes(bytes))
                .eTag();
        parts.add(CompletedPart.builder().partNumber(number).eTag(etag).build());
      }
    }
    s3.completeMultipartUpload(complete ->
        complete.bucket(bucket).key(key).uploadId(upload).multipartUpload(all -> all.parts(parts)));
  }

  @Override
  public List<String> list(String bucket) {
    return s3.listObjectsV2Paginator(list -> list.bucket(bucket).maxKeys(2)).contents().stream()
        .map(S3Object::key)
        .toList();
  }

  @Override
  public void delete(String bucket, String key) {
    s3.deleteObject(delete -> delete.bucket(bucket).key(key));
  }

  @Override
  public boolean exists(String bucket, String key) {
    try {
      s3.headObject(head -> head.bucket(bucket).key(key));
      return true;
    } catch (NoSuchKeyException e) {
      return false;
    }
  }

  @Override
  public URI presign(String bucket, String key) {
    return SdkSettings.presign(endpoint, bucket, key);
  }

  @Override
  public void deleteBucket(String bucket) {
    s3.deleteBucket(delete -> delete.bucket(bucket));
  }

  @Override
  public void close() {
    s3.close();
  }
}
