package dev.tarn.transport.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.capability.Grant;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.TargetRequest.Head;
import dev.tarn.cluster.target.TargetRequest.Put;
import dev.tarn.cluster.wire.HttpBinding;
import dev.tarn.cluster.wire.OutcomeCodec;
import dev.tarn.cluster.wire.RequestCodec;
import dev.tarn.fixtures.target.TestBody;
import dev.tarn.fixtures.target.memory.MemoryTarget;
import io.vertx.core.Vertx;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Calls of a later release to a target of this one, over a real connection: what a release may add,
 * and what it needs a new version for. The calls are those of this release with bytes added, as a
 * later release would write them.
 */
class NextWireVersionTest {
  private static final CallScope SCOPE = new CallScope(new BucketId(1), 1, 1, CallContext.UNNAMED);
  private static final ObjectKey KEY = ObjectKey.of("key");
  private static final Head HEAD = Head.ofWhole(SCOPE, KEY, Optional.empty());

  /** Field 20, a number: 5. */
  private static final String OPTIONAL_FIELD = "a00105";

  /** The same field, which readers must not skip. */
  private static final String REQUIRED_FIELD = "a40105";

  private final Vertx vertx = Vertx.vertx();
  private final RemoteTarget remote = new RemoteTarget(vertx, new MemoryTarget());

  @BeforeEach
  void putAnObject() {
    remote.start();
    Put put = new Put(SCOPE, KEY, ObjectAttributes.NONE, Set.of(), Preconditions.NONE);
    assertThat(remote.target().call(put, TestBody.of("bytes")).toCompletableFuture().join())
        .isInstanceOf(Outcome.Success.class);
  }

  @AfterEach
  void stop() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void optionalFieldNeedsNoVersionBecauseItIsSkipped() throws Exception {
    assertThat(call(headWith(OPTIONAL_FIELD))).isInstanceOf(Outcome.Success.class);
  }

  @Test
  void requiredFieldIsRefusedByItsTag() throws Exception {
    assertThat(failure(headWith(REQUIRED_FIELD)))
        .isInstanceOf(Failure.InvalidRequest.class)
        .extracting(Failure::message)
        .asString()
        .contains("field 20 is required and not known to this release");
  }

  @Test
  void newRequestIsRefusedByItsTag() throws Exception {
    byte[] unknown = HexFormat.of().parseHex("02" + "f703" + "00" + "00");

    assertThat(failure(unknown))
        .isInstanceOf(Failure.InvalidRequest.class)
        .extracting(Failure::message)
        .asString()
        .contains("62");
  }

  /**
   * A release first reads the next version and writes the present one; the release after it writes
   * the next. Whoever skips the first of the two reads this answer, which is of the present
   * version.
   */
  @Test
  void nextVersionIsRefusedAndTheCallerIsToldToUpdateTheTarget() throws Exception {
    byte[] next = RequestCodec.encode(HEAD);
    next[0]++;

    assertThat(failure(next))
        .isEqualTo(
            new Failure.Unavailable(
                "Call failed: request has wire version 3, this release speaks 2; update the older"
                    + " process of the two."));
  }

  /** The message of a head with a field behind its last one. */
  private static byte[] headWith(String field) {
    byte[] head = RequestCodec.encode(HEAD);
    byte[] added = HexFormat.of().parseHex(field);
    int endMarks = 2; // of the request and of the message
    byte[] message = Arrays.copyOf(head, head.length + added.length);
    System.arraycopy(added, 0, message, head.length - endMarks, added.length);
    return message;
  }

  private Failure failure(byte[] message) throws Exception {
    return ((Outcome.Failed<ObjectHead>) call(message)).failure();
  }

  private Outcome<ObjectHead> call(byte[] message) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + remote.address() + HttpBinding.CALL_PATH))
            .header(HttpBinding.LENGTH_HEADER, Integer.toString(message.length))
            .header(
                HttpBinding.CAPABILITY_HEADER,
                RemoteTarget.CAPABILITIES.issueForCall(Grant.of(HEAD)))
            .POST(BodyPublishers.ofByteArray(message))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
      return OutcomeCodec.HEAD.decode(response.body());
    }
  }
}
