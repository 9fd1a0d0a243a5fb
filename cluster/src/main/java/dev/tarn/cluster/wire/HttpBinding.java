package dev.tarn.cluster.wire;

/**
 * How calls travel over HTTP/1.1. A call is a POST to {@link #CALL_PATH}. Its body begins with the
 * encoded request, of {@link #LENGTH_HEADER} bytes; the frames of an incoming body follow, if there
 * is one ({@link BodyEnd}). The answer has status 200. It begins with the encoded outcome, also of
 * {@link #LENGTH_HEADER} bytes; the raw bytes of a get follow, so that a file can be sent by
 * sendfile.
 *
 * <p>A caller closes the connection after an answer with any other status, also while it sends a
 * body: the target has not read the rest of the request.
 *
 * <p>Messages are not headers, because the metadata of an object of many parts, and the completion
 * of an upload, are too long for headers. Late digests are not HTTP trailers, because a frame can
 * also report that the sender's own source failed, without losing the connection.
 */
public final class HttpBinding {
  /** The path of calls. */
  public static final String CALL_PATH = "/tarn/v1/call";

  /**
   * The path of probes, which show that a target lives. A probe is a GET without a capability. A
   * target answers it on the event loop with {@link #PROBE_STATUS}; every answer shows that the
   * target lives. On a new connection in the clear a probe precedes a call with a body.
   */
  public static final String PROBE_PATH = "/tarn/v1/probe";

  /** The status of an answer to a probe. */
  public static final int PROBE_STATUS = 204;

  /** The path of a target's {@link TargetReport}. */
  public static final String REPORT_PATH = "/tarn/v1/report";

  /** The path that starts a scrub of a target's disks; the answer is a {@link TargetReport}. */
  public static final String SCRUB_PATH = "/tarn/v1/scrub";

  /**
   * The path of a target's {@link TrafficHistory}: of all cached buckets, or of the one whose id is
   * the parameter {@link #BUCKET_PARAMETER}.
   */
  public static final String TRAFFIC_PATH = "/tarn/v1/traffic";

  /** The id of a bucket, in decimal digits. */
  public static final String BUCKET_PARAMETER = "bucket";

  /** The status of a draining target. It has not read the call, so the call may be retried. */
  public static final int DRAINING_STATUS = 503;

  /** The number of bytes of the message at the beginning of the body. */
  public static final String LENGTH_HEADER = "tarn-message-length";

  /** The length of the body in the request's frames, if its sender declared one. */
  public static final String BODY_LENGTH_HEADER = "tarn-body-length";

  /** The capability. */
  public static final String CAPABILITY_HEADER = "tarn-capability";

  /**
   * The path where clients read an object with a ticket from a gateway. The request is a GET,
   * optionally with a Range of the form {@code bytes=FIRST-[LAST]} and an If-Match of one ETag in
   * quotes. The answer has status 200 or 206, Content-Length, Content-Range and ETag as in S3, and
   * no other metadata of the object. After any other status, the client must use the gateway.
   */
  public static final String READ_PATH = "/tarn/v1/object";

  /** The ticket of a client's read. */
  public static final String TICKET_HEADER = "tarn-read-ticket";

  /** The lifetime of a ticket in seconds, from the gateway's answer on. */
  public static final String TICKET_SECONDS_HEADER = "tarn-read-ticket-seconds";

  /**
   * The authorities that vouch for the target of a ticket, if its URL is https: certificates in DER
   * and base64, separated by commas. A client trusts them for this URL's host alone.
   */
  public static final String AUTHORITIES_HEADER = "tarn-read-authorities";

  /** Marks the answers of a target to tickets: an answer without it is not from a target. */
  public static final String READ_ANSWER_HEADER = "tarn-read-answer";

  /** The request id of a target's answer to a ticket, as in the target's log. */
  public static final String REQUEST_ID_HEADER = "x-amz-request-id";

  private HttpBinding() {}
}
