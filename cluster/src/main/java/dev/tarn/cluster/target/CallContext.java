package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/**
 * For whom a call is made. The gateway makes one context for each S3 request, and all calls for
 * that request carry it, also from target to target. Logs, metrics and traces use it, and uploads
 * name its user as their initiator.
 *
 * @param requestId names the S3 request, or the background task; 1 to {@link #ID_LENGTH_MAX}
 *     printable ASCII characters
 * @param userId the user who signed; empty for anonymous and for background tasks
 * @param traffic whether a client waits
 * @param traceparent the client's, in the form of W3C Trace Context; empty if it sent none
 */
public record CallContext(
    String requestId, Optional<String> userId, TrafficClass traffic, Optional<String> traceparent) {
  /** The greatest length of a request id and of a user id. */
  public static final int ID_LENGTH_MAX = 128;

  /** The context of a call whose caller named none, such as one of an older release. */
  public static final CallContext UNNAMED = foreground("unnamed", Optional.empty());

  private static final Pattern TRACEPARENT =
      Pattern.compile("00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");

  public CallContext {
    requireNonNull(requestId, "requestId is null");
    requireNonNull(userId, "userId is null");
    requireNonNull(traffic, "traffic is null");
    requireNonNull(traceparent, "traceparent is null");
    if (!isId(requestId)) {
      throw new IllegalArgumentException(
          "request id must be 1 to "
              + ID_LENGTH_MAX
              + " printable ASCII characters without a space");
    }
    if (userId.isPresent() && !isId(userId.orElseThrow())) {
      throw new IllegalArgumentException(
          "user id must be 1 to " + ID_LENGTH_MAX + " printable ASCII characters without a space");
    }
    if (traceparent.isPresent() && !isTraceparent(traceparent.orElseThrow())) {
      throw new IllegalArgumentException("traceparent must be 00-TRACE-PARENT-FLAGS in hex");
    }
  }

  /** A call that a client waits for, without a trace. */
  public static CallContext foreground(String requestId, Optional<String> userId) {
    return new CallContext(requestId, userId, TrafficClass.FOREGROUND, Optional.empty());
  }

  /**
   * A call that no client waits for.
   *
   * @param task the kind of task, for its id; letters and {@code -}
   */
  public static CallContext background(String task) {
    String number = Long.toHexString(ThreadLocalRandom.current().nextLong());
    return new CallContext(
        task + "-" + number, Optional.empty(), TrafficClass.BACKGROUND, Optional.empty());
  }

  /** Whether a header's value is a traceparent; clients may send anything. */
  public static boolean isTraceparent(String text) {
    return TRACEPARENT.matcher(text).matches();
  }

  /**
   * Whether a text can stand in a log line: printable ASCII without a space, of a bounded length.
   */
  private static boolean isId(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) <= ' ' || text.charAt(i) > '~') {
        return false;
      }
    }
    return !text.isEmpty() && text.length() <= ID_LENGTH_MAX;
  }

  /** One line for logs. */
  @Override
  public String toString() {
    return "request "
        + requestId
        + userId.map(user -> " of user " + user).orElse("")
        + (traffic == TrafficClass.BACKGROUND ? " in the background" : "")
        + traceparent.map(trace -> ", trace " + trace).orElse("");
  }
}
