package dev.tarn.client.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.internal.http.HttpAnswer;
import dev.tarn.client.internal.http.HttpSender;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * A gateway that issues tickets and two targets. It notes who is asked, as {@code gateway} or by
 * the target's name.
 */
final class TicketCluster implements HttpSender {
  private static final byte[] BYTES = new byte[4 << 20];

  final List<String> asked = Collections.synchronizedList(new ArrayList<>());
  final Set<String> unreachable = new HashSet<>();
  long nanos;
  boolean givesTickets = true;
  String authorities = "";
  String location = "http://%s:9002/tarn/v1/object?key=%s";

  /** The key that this thread reads, if the test says so. */
  final ThreadLocal<@Nullable String> reading = new ThreadLocal<>();

  int targetStatus = 200;
  boolean isMarked = true;
  int shift;
  int cutAt = Integer.MAX_VALUE;
  Runnable atTarget = () -> {};
  Runnable atTicket = () -> {};
  int tickets;

  @Override
  public HttpAnswer send(SdkHttpRequest request) throws IOException {
    asked.add(request.host());
    boolean isGateway = request.host().equals("gateway");
    if (unreachable.contains(request.host())) {
      throw new ConnectException("Connection refused");
    }
    boolean asks = request.firstMatchingHeader("x-tarn-direct-read").isPresent();
    if (asks) {
      atTicket.run();
    }
    if (isGateway && asks && givesTickets) {
      tickets++;
      String key = request.encodedPath().substring("/data/".length());
      return answer(
          SdkHttpResponse.builder()
              .statusCode(307)
              .putHeader("Location", location.formatted(owner(key), key))
              .putHeader("tarn-read-ticket", "ticket-" + key)
              .putHeader("tarn-read-authorities", authorities)
              .putHeader("tarn-read-ticket-seconds", "300"),
          0,
          0,
          0);
    }
    if (!isGateway) {
      String key = request.firstMatchingRawQueryParameter("key").orElse("none");
      assertThat(request.firstMatchingHeader("tarn-read-ticket")).hasValue("ticket-" + key);
      assertThat(request.host()).isEqualTo(owner(key));
      if (reading.get() != null) {
        assertThat(key).isEqualTo(reading.get());
      }
      assertThat(request.firstMatchingHeader("Authorization")).isEmpty();
      atTarget.run();
      SdkHttpResponse.Builder head = SdkHttpResponse.builder();
      if (isMarked) {
        head.putHeader("tarn-read-answer", "1");
      }
      return targetStatus == 200
          ? object(head, request.firstMatchingHeader("Range"), shift, cutAt)
          : answer(head.statusCode(targetStatus), 0, 0, 0);
    }
    return object(
        SdkHttpResponse.builder(), request.firstMatchingHeader("Range"), 0, Integer.MAX_VALUE);
  }

  static String owner(String key) {
    return key.startsWith("a") ? "target-1" : "target-2";
  }

  private static HttpAnswer object(
      SdkHttpResponse.Builder head, Optional<String> range, int shift, int cutAt) {
    head.putHeader("ETag", "\"1\"");
    if (range.isEmpty()) {
      return answer(head.statusCode(200), 0, BYTES.length, cutAt);
    }
    String[] bounds = range.orElseThrow().substring("bytes=".length()).split("-", 2);
    int first = Integer.parseInt(bounds[0]) + shift;
    int last = bounds[1].isEmpty() ? BYTES.length - 1 : Integer.parseInt(bounds[1]);
    head.statusCode(206)
        .putHeader("Content-Range", "bytes %d-%d/%d".formatted(first, last, BYTES.length));
    return answer(head, first, last + 1 - first, cutAt);
  }

  private static HttpAnswer answer(
      SdkHttpResponse.Builder head, int offset, int length, int cutAt) {
    head.putHeader("Content-Length", String.valueOf(length));
    return new HttpAnswer(
        head.build(),
        AbortableInputStream.create(
            new ByteArrayInputStream(BYTES, offset, Math.min(length, cutAt))));
  }
}
