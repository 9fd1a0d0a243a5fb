package dev.tarn.gateway;

/**
 * The bounds of the S3 listener. Every one is enforced; only the last may be zero.
 *
 * @param initialLineBytesMax the request line; a key of 1 KiB may take 3 KiB when percent-encoded
 * @param headerBytesMax all headers of a request together
 * @param bodyBytesMax one request's body as declared: an object or a part
 * @param documentBytesMax one request's XML document, which is held in memory
 * @param connectionsMax open connections; one more is answered 503 SlowDown
 * @param requestsMax requests in flight; one more is answered 503 SlowDown
 * @param deletesInFlightMax keys of one DeleteObjects that are deleted at the same time
 * @param idleMsMax how long a connection may be open without a complete request head
 * @param progressPeriodMs the time in which a transfer must move {@code progressBytesMin}
 * @param progressBytesMin what a client must send or take in one period, else it is cut off
 * @param unreadBytesMax how much of a refused request's body is read, for at most one progress
 *     period, so that its client gets the answer; where there is more the connection is closed
 * @param drainMsMax how long requests in flight may take to finish at shutdown
 * @param targetWaitMsMax how long a request may wait for a target that has just gone away, as it
 *     does when it restarts; 0 to answer 503 at once, at most 30 seconds
 */
public record GatewayLimits(
    int initialLineBytesMax,
    int headerBytesMax,
    long bodyBytesMax,
    int documentBytesMax,
    int connectionsMax,
    int requestsMax,
    int deletesInFlightMax,
    long idleMsMax,
    long progressPeriodMs,
    long progressBytesMin,
    long unreadBytesMax,
    long drainMsMax,
    long targetWaitMsMax) {
  /** Bodies up to 5 GiB as in S3, a thousand requests at once, a minute for what stands still. */
  public static final GatewayLimits DEFAULT =
      new GatewayLimits(
          16 << 10, 64 << 10, 5L << 30, 8 << 20, 4096, 1024, 32, 120_000, 60_000, 1024, 64 << 20,
          30_000, 5_000);

  private static final long TARGET_WAIT_MS_LIMIT = 30_000;

  public GatewayLimits {
    atLeast("initialLineBytesMax", initialLineBytesMax, 1024);
    atLeast("headerBytesMax", headerBytesMax, 1024);
    atLeast("bodyBytesMax", bodyBytesMax, 1);
    atLeast("documentBytesMax", documentBytesMax, 1024);
    atLeast("connectionsMax", connectionsMax, 1);
    atLeast("requestsMax", requestsMax, 1);
    atLeast("deletesInFlightMax", deletesInFlightMax, 1);
    atLeast("idleMsMax", idleMsMax, 1);
    atLeast("progressPeriodMs", progressPeriodMs, 1);
    atLeast("progressBytesMin", progressBytesMin, 1);
    atLeast("unreadBytesMax", unreadBytesMax, 1);
    atLeast("drainMsMax", drainMsMax, 1);
    atLeast("targetWaitMsMax", targetWaitMsMax, 0);
    if (targetWaitMsMax > TARGET_WAIT_MS_LIMIT) {
      throw new IllegalArgumentException(
          "targetWaitMsMax is " + targetWaitMsMax + ", must be at most " + TARGET_WAIT_MS_LIMIT);
    }
  }

  private static void atLeast(String name, long value, long min) {
    if (value < min) {
      throw new IllegalArgumentException(name + " is " + value + ", must be at least " + min);
    }
  }
}
