package dev.tarn.e2e.clients;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.core.util.VersionInfo;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** An asynchronous client of the AWS SDK: Netty's with multipart, or the CRT's. */
final class SdkAsync implements JavaClient {
  private final String name;
  private final Place place;
  private final S3AsyncClient s3;

  SdkAsync(String name, Place place, S3AsyncClient s3) {
    this.name = name;
    this.place = place;
    this.s3 = s3;
  }

  @Override
  public String version() {
    return name + " " + VersionInfo.SDK_VERSION;
  }

  @Override
  public void createBucket(String bucket) {
    s3.createBucket(create -> create.bucket(bucket)).join();
  }

  @Override
  public String put(String bucket, String key, byte[] bytes) {
    return s3.putObject(put -> put.bucket(bucket).key(key), AsyncRequestBody.fromBytes(bytes))
        .join()
        .eTag()
        .replace("\"", "");
  }

  @Override
  public boolean putIfAbsent(String bucket, String key, byte[] bytes) {
    try {
      s3.putObject(
              put -> put.bucket(bucket).key(key).ifNoneMatch("*"),
              AsyncRequestBody.fromBytes(bytes))
          .join();
      return true;
    } catch (CompletionException e) {
      if (hasStatus(e, 412)) {
        return false;
      }
      throw e;
    }
  }

  private static boolean hasStatus(CompletionException failure, int status) {
    return failure.getCause() instanceof S3Exception answer && answer.statusCode() == status;
  }

  @Override
  public byte[] get(String bucket, String key) {
    return s3.getObject(get -> get.bucket(bucket).key(key), AsyncResponseTransformer.toBytes())
        .join()
        .asByteArray();
  }

  @Override
  public byte[] getRange(String bucket, String key, long first, long last) {
    return s3.getObject(
            get -> get.bucket(bucket).key(key).range("bytes=" + first + "-" + last),
            AsyncResponseTransformer.toBytes())
        .join()
        .asByteArray();
  }

  @Override
  public void uploadInParts(String bucket, String key, Path file) {
    s3.putObject(put -> put.bucket(bucket).key(key), AsyncRequestBody.fromFile(file)).join();
  }

  @Override
  public void copy(String bucket, String from, String to) {
    s3.copyObject(copy ->
            copy.sourceBucket(bucket).sourceKey(from).destinationBucket(bucket).destinationKey(to))
        .join();
  }

  @Override
  public List<String> list(String bucket, int pageKeys) {
    List<String> keys = new ArrayList<>();
    String token = null;
    do {
      String from = token;
      ListObjectsV2Response page =
          s3.listObjectsV2(list -> list.bucket(bucket).maxKeys(pageKeys).continuationToken(from))
              .join();
      page.contents().forEach(object -> keys.add(object.key()));
      token = page.nextContinuationToken();
    } while (token != null);
    return keys;
  }

  @Override
  public void delete(String bucket, String key) {
    s3.deleteObject(delete -> delete.bucket(bucket).key(key)).join();
  }

  @Override
  public void deleteAll(String bucket, List<String> keys) {
    List<ObjectIdentifier> objects =
        keys.stream().map(key -> ObjectIdentifier.builder().key(key).build()).toList();
    var answer =
        s3.deleteObjects(request -> request.bucket(bucket).delete(all -> all.objects(objects)))
            .join();
    if (answer.hasErrors()) {
      throw new IllegalStateException("not deleted: " + answer.errors());
    }
  }

  @Override
  public String etag(String bucket, String key) {
    try {
      return s3.headObject(head -> head.bucket(bucket).key(key)).join().eTag().replace("\"", "");
    } catch (CompletionException e) {
      if (hasStatus(e, 404)) {
        return "";
      }
      throw e;
    }
  }

  @Override
  public URI presign(String bucket, String key) {
    return SdkSettings.presign(place, bucket, key);
  }

  @Override
  public void deleteBucket(String bucket) {
    s3.deleteBucket(delete -> delete.bucket(bucket)).join();
  }

  @Override
  public void close() {
    s3.close();
  }
}
