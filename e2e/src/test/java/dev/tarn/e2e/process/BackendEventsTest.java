package dev.tarn.e2e.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** Event notifications of a backend, about objects of which the cache believes its copies. */
class BackendEventsTest {
  private static final String TOKEN = "token-of-the-event-sender";
  private static final String KEY = "train/a b+c\u00e9.jpg";
  private static final String ENCODED_KEY = "train/a+b%2Bc%C3%A9.jpg";

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @TempDir private static Path folder;

  private static TarnProcess origin;
  private static TarnProcess cache;
  private static S3Client there;
  private static S3Client here;

  @BeforeAll
  static void start() throws Exception {
    origin = TarnProcess.start(Files.createDirectory(folder.resolve("origin")));
    there = origin.openS3Client();
    there.createBucket(bucket -> bucket.bucket("origin"));
    Path token = Files.writeString(folder.resolve("token"), TOKEN + "\n");
    cache =
        TarnProcess.start(
            Files.createDirectory(folder.resolve("cache")),
            "--set",
            "admin.events-token-file=" + token);
    here = cache.openS3Client();
    CachedBuckets.create("cached", "origin", origin, cache.admin(), folder);
  }

  @AfterAll
  static void stop() {
    CLIENT.close();
    here.close();
    there.close();
    cache.close();
    origin.close();
  }

  @BeforeEach
  void removeTheObject() throws Exception {
    there.deleteObject(delete -> delete.bucket("origin").key(KEY));
    CachedBuckets.bucketCommand(cache.admin(), folder, "evict", "cached");
  }

  @Test
  void changeIsSeenAfterItsEventAndOldEventsDoNoHarm() throws Exception {
    String before = put("before");
    assertThat(read()).isEqualTo("before");
    String now = put("now");
    assertThat(read()).isEqualTo("before");

    assertThat(send(created(now)).body()).contains("\"evicted_objects\":1");
    assertThat(read()).isEqualTo("now");

    assertThat(send(created(now)).body()).as("repeated").contains("\"evicted_objects\":0");
    assertThat(send(created(before)).body()).as("late").contains("\"evicted_objects\":1");
    assertThat(read()).isEqualTo("now");
  }

  @Test
  void objectThatIsRemovedAtTheBackendIsGoneAfterItsEvent() throws Exception {
    put("bytes");
    assertThat(read()).isEqualTo("bytes");
    there.deleteObject(delete -> delete.bucket("origin").key(KEY));

    send(record("ObjectRemoved:Delete", "origin", ENCODED_KEY, ""));

    assertThat(
            here.listObjectsV2(list -> list.bucket("cached")).contents().stream()
                .filter(object -> object.key().equals(KEY)))
        .isEmpty();
    assertThat(get().statusCode()).isEqualTo(404);
  }

  @Test
  void writeThroughTarnIsNotDroppedByItsOwnEvent() throws Exception {
    String etag =
        here.putObject(put -> put.bucket("cached").key(KEY), RequestBody.fromString("ours"))
            .eTag()
            .replace("\"", "");

    assertThat(send(created(etag)).body()).contains("\"evicted_objects\":0");
  }

  @Test
  void eventsOfOtherBucketsAndTheTestEventAreTaken() throws Exception {
    assertThat(send(record("ObjectCreated:Put", "another", "key", "")).body())
        .contains("\"events\":1", "\"outdated\":0");
    assertThat(send("{\"Service\":\"Amazon S3\",\"Event\":\"s3:TestEvent\"}").statusCode())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "no JSON | the body must be a JSON object",
        "{} | whose field 'Records' is a list",
        "{\"Records\":[1]} | record 0 of the notification is no object",
        "{\"Records\":[{\"s3\":{\"bucket\":{\"name\":\"b\"}}}]} | has no text at s3.object.key",
        "{\"Records\":[{\"s3\":{\"bucket\":{\"name\":\"b\"},\"object\":{\"key\":\"%zz\"}}}]}"
            + " | has a key that is not URL-encoded",
      })
  void malformedEventIsRefused(String body, String problem) throws Exception {
    HttpResponse<String> answer = send(body);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains(problem);
  }

  @ParameterizedTest
  @CsvSource({"Bearer another-token-of-some-sender", "Bearer ''", "Basic abc"})
  void forgedEventIsRefused(String authorization) throws Exception {
    String etag = put("before");
    assertThat(read()).isEqualTo("before");

    assertThat(send(created("x"), authorization).statusCode()).isIn(400, 403);
    assertThat(send(created(etag)).body()).contains("\"evicted_objects\":0");
  }

  @Test
  void commandEvictsNamedObjects() throws Exception {
    put("before");
    assertThat(read()).isEqualTo("before");
    put("now");

    CachedBuckets.bucketCommand(cache.admin(), folder, "evict", "cached", KEY, "missing");

    assertThat(read()).isEqualTo("now");
  }

  /** Puts the object at the backend and returns its ETag. */
  private static String put(String bytes) {
    return there
        .putObject(put -> put.bucket("origin").key(KEY), RequestBody.fromString(bytes))
        .eTag()
        .replace("\"", "");
  }

  private static String read() {
    return here.getObjectAsBytes(get -> get.bucket("cached").key(KEY)).asUtf8String();
  }

  private static HttpResponse<String> get() throws IOException, InterruptedException {
    CachedBuckets.bucketCommand(cache.admin(), folder, "set", "cached", "--anonymous-read");
    URI object = cache.s3().resolve("/cached/train/a%20b%2Bc%C3%A9.jpg");
    return CLIENT.send(
        HttpRequest.newBuilder(object).build(), HttpResponse.BodyHandlers.ofString(UTF_8));
  }

  private static String created(String etag) {
    return record("ObjectCreated:Put", "origin", ENCODED_KEY, etag);
  }

  private static String record(String event, String bucket, String key, String etag) {
    return """
    {"Records":[{"eventVersion":"2.1","eventSource":"aws:s3","eventName":"%s",
      "s3":{"s3SchemaVersion":"1.0","bucket":{"name":"%s","arn":"arn:aws:s3:::%s"},
        "object":{"key":"%s","size":6,"eTag":"%s","sequencer":"0055AED6DCD90281E5"}}}]}
    """
        .formatted(event, bucket, bucket, key, etag);
  }

  private static HttpResponse<String> send(String body) throws IOException, InterruptedException {
    return send(body, "Bearer " + TOKEN);
  }

  private static HttpResponse<String> send(String body, String authorization)
      throws IOException, InterruptedException {
    return CLIENT.send(
        HttpRequest.newBuilder(cache.admin().resolve("/api/v1/events/s3"))
            .header("authorization", authorization)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString(UTF_8));
  }
}
