package dev.tarn.e2e.clients;

import java.io.RandomAccessFile;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.core.util.VersionInfo;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/** The AWS SDK's blocking client. */
final class SdkSync implements JavaClient {
  private final S3Endpoint endpoint;
  private final S3Client s3;

  SdkSync(S3Endpoint endpoint) {
    this.endpoint = endpoint;
    this.s3 = SdkSettings.sync(endpoint);
  }

  @Override
  public String version() {
    return "AWS SDK for Java, sync " + VersionInfo.SDK_VERSION;
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
  public boolean putIfAbsent(String bucket, String key, byte[] bytes) {
    try {
      s3.putObject(
          put -> put.bucket(bucket).key(key).ifNoneMatch("*"), RequestBody.fromBytes(bytes));
      return true;
    } catch (S3Exception e) {
      if (e.statusCode() == 412) {
        return false;
      }
      throw e;
    }
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
  public void copy(String bucket, String from, String to) {
    s3.copyObject(copy ->
        copy.sourceBucket(bucket).sourceKey(from).destinationBucket(bucket).destinationKey(to));
  }

  @Override
  public List<String> list(String bucket, int pageKeys) {
    return s3
        .listObjectsV2Paginator(list -> list.bucket(bucket).maxKeys(pageKeys))
        .contents()
        .stream()
        .map(S3Object::key)
        .toList();
  }

  @Override
  public void delete(String bucket, String key) {
    s3.deleteObject(delete -> delete.bucket(bucket).key(key));
  }

  @Override
  public void deleteAll(String bucket, List<String> keys) {
    List<ObjectIdentifier> objects =
        keys.stream().map(key -> ObjectIdentifier.builder().key(key).build()).toList();
    var answer =
        s3.deleteObjects(request -> request.bucket(bucket).delete(all -> all.objects(objects)));
    if (answer.hasErrors()) {
      throw new IllegalStateException("not deleted: " + answer.errors());
    }
  }

  @Override
  public String etag(String bucket, String key) {
    try {
      return s3.headObject(head -> head.bucket(bucket).key(key)).eTag().replace("\"", "");
    } catch (NoSuchKeyException e) {
      return "";
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
