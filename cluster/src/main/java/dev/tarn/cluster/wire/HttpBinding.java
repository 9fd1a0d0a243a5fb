package dev.tarn.cluster.wire;

/**
 * How calls travel over HTTP/1.1. A call is a POST to {@link #CALL_PATH} whose body begins with the
 * encoded request, {@link #LENGTH_HEADER} bytes of it; behind it come the frames of an incoming
 * body, if there is one ({@link BodyEnd}). The answer has status 200 and begins with the encoded
 * outcome, again {@link #LENGTH_HEADER} bytes; behind it come the raw bytes that a get has read, so
 * that a file goes out by sendfile.
 *
 * <p>Messages are not headers, because the metadata of an object of many parts and the completion
 * of an upload are longer than headers should be. Digests that are known late are not HTTP
 * trailers, because a frame can also say that the sender's own source failed, without losing the
 * connection.
 */
public final class HttpBinding {
  /** Where calls are posted. */
  public static final String CALL_PATH = "/tarn/v1/call";

  /** Where a target is asked for its {@link TargetReport}. */
  public static final String REPORT_PATH = "/tarn/v1/report";

  /** Where a target is told to scrub its disks; the answer is a {@link TargetReport}. */
  public static final String SCRUB_PATH = "/tarn/v1/scrub";

  /** The status of a draining target, which has not read the call; the call may be repeated. */
  public static final int DRAINING_STATUS = 503;

  /** The number of bytes of the message that the body begins with. */
  public static final String LENGTH_HEADER = "tarn-message-length";

  /** The length of the body in the request's frames, where its sender declared one. */
  public static final String BODY_LENGTH_HEADER = "tarn-body-length";

  /** The capability. */
  public static final String CAPABILITY_HEADER = "tarn-capability";

  /**
   * Where clients read an object with a ticket from a gateway: a GET, with a Range of the form
   * {@code bytes=FIRST-[LAST]} and an If-Match of one ETag in quotes, or without. The answer has
   * status 200 or 206, Content-Length, Content-Range and ETag as S3 has them, and nothing of the
   * object's metadata; any other status says that the gateway is to be asked.
   */
  public static final String READ_PATH = "/tarn/v1/object";

  /** The ticket with which a client reads. */
  public static final String TICKET_HEADER = "tarn-read-ticket";

  /** For how many seconds a ticket is valid, from a gateway's answer on. */
  public static final String TICKET_SECONDS_HEADER = "tarn-read-ticket-seconds";

  /** Marks the answers that a target gives to tickets: whoever answers without it is none. */
  public static final String READ_ANSWER_HEADER = "tarn-read-answer";

  private HttpBinding() {}
}
