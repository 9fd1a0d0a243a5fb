package dev.tarn.e2e.clients;

import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.core.util.VersionInfo;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** An asynchronous client of the AWS SDK: Netty's with multipart, or the CRT's. */
final class SdkAsync implements JavaClient {
  private static final long ANSWER_SECONDS_MAX = 300;

  private final String name;
  private final S3Endpoint endpoint;
  private final S3AsyncClient s3;

  SdkAsync(String name, S3Endpoint endpoint, S3AsyncClient s3) {
    this.name = name;
    this.endpoint = endpoint;
    this.s3 = s3;
  }

  @Override
  public String version() {
    return name + " " + VersionInfo.SDK_VERSION;
  }

  @Override
  public void createBucket(String bucket) throws Exception {
    answer(s3.createBucket(create -> create.bucket(bucket)));
  }

  @Override
  public String put(String bucket, String key, byte[] bytes) throws Exception {
    return answer(
            s3.putObject(put -> put.bucket(bucket).key(key), AsyncRequestBody.fromBytes(bytes)))
        .eTag()
        .replace("\"", "");
  }

  @Override
  public boolean putIfAbsent(String bucket, String key, byte[] bytes) throws Exception {
    try {
      answer(
          s3.putObject(
              put -> put.bucket(bucket).key(key).ifNoneMatch("*"),
              AsyncRequestBody.fromBytes(bytes)));
      return true;
    } catch (ExecutionException e) {
      if (hasStatus(e, 412)) {
        return false;
      }
      throw e;
    }
  }

  /** Waits for an answer, but not for ever: a client that hangs fails its day. */
  private static <T> T answer(CompletableFuture<T> future) throws Exception {
    return future.get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
  }

  private static boolean hasStatus(ExecutionException failure, int status) {
    return failure.getCause() instanceof S3Exception answer && answer.statusCode() == status;
  }

  /**
   * By a stream: {@code toBytes} of a client that works with parts (seen with 2.54.13) takes an
   * answer that ends before its subscription is noted for none, and never completes.
   */
  @Override
  public byte[] get(String bucket, String key) throws Exception {
    AsyncResponseTransformer<GetObjectResponse, ResponseInputStream<GetObjectResponse>> streamed =
        AsyncResponseTransformer.toBlockingInputStream();
    try (InputStream in = answer(s3.getObject(get -> get.bucket(bucket).key(key), streamed))) {
      return in.readAllBytes();
    }
  }

  @Override
  public byte[] getRange(String bucket, String key, long first, long last) throws Exception {
    return answer(
            s3.getObject(
                get -> get.bucket(bucket).key(key).range("bytes=" + first + "-" + last),
                AsyncResponseTransformer.toBytes()))
        .asByteArray();
  }

  @Override
  public void uploadInParts(String bucket, String key, Path file) throws Exception {
    answer(s3.putObject(put -> put.bucket(bucket).key(key), AsyncRequestBody.fromFile(file)));
  }

  @Override
  public void copy(String bucket, String from, String to) throws Exception {
    answer(
        s3.copyObject(copy ->
            copy.sourceBucket(bucket)
                .sourceKey(from)
                .destinationBucket(bucket)
                .destinationKey(to)));
  }

  @Override
  public List<String> list(String bucket, int pageKeys) throws Exception {
    List<String> keys = new ArrayList<>();
    String token = null;
    do {
      String from = token;
      ListObjectsV2Response page =
          answer(
              s3.listObjectsV2(
                  list -> list.bucket(bucket).maxKeys(pageKeys).continuationToken(from)));
      page.contents().forEach(object -> keys.add(object.key()));
      token = page.nextContinuationToken();
    } while (token != null);
    return keys;
  }

  @Override
  public void delete(String bucket, String key) throws Exception {
    answer(s3.deleteObject(delete -> delete.bucket(bucket).key(key)));
  }

  @Override
  public void deleteAll(String bucket, List<String> keys) throws Exception {
    List<ObjectIdentifier> objects =
        keys.stream().map(key -> ObjectIdentifier.builder().key(key).build()).toList();
    var deleted =
        answer(
            s3.deleteObjects(
                request -> request.bucket(bucket).delete(all -> all.objects(objects))));
    if (deleted.hasErrors()) {
      throw new IllegalStateException("not deleted: " + deleted.errors());
    }
  }

  @Override
  public String etag(String bucket, String key) throws Exception {
    try {
      return answer(s3.headObject(head -> head.bucket(bucket).key(key))).eTag().replace("\"", "");
    } catch (ExecutionException e) {
      if (hasStatus(e, 404)) {
        return "";
      }
      throw e;
    }
  }

  @Override
  public URI presign(String bucket, String key) {
    return SdkSettings.presign(endpoint, bucket, key);
  }

  @Override
  public void deleteBucket(String bucket) throws Exception {
    answer(s3.deleteBucket(delete -> delete.bucket(bucket)));
  }

  @Override
  public void close() {
    s3.close();
  }
}
