package dev.tarn.gateway.http;

/**
 * The limits of the S3 listener. All of them are enforced. Only {@code targetWaitMsMax} may be
 * zero.
 *
 * @param initialLineBytesMax the request line; a key of 1 KiB may take 3 KiB when percent-encoded
 * @param headerBytesMax all headers of a request together
 * @param bodyBytesMax the declared length of one request's body: an object or a part
 * @param documentBytesMax one request's XML document, which is held in memory
 * @param connectionsMax open connections, at most three quarters of the process's open files; one
 *     more is answered 503 SlowDown
 * @param heldBytesMax memory that all connections and requests together may hold; above it, users
 *     and addresses that hold more than their fair share are answered 503 SlowDown
 * @param deletesInFlightMax keys of one DeleteObjects that are deleted at the same time
 * @param idleMsMax how long a connection may be open without a request; under memory pressure, how
 *     long a request's head may take
 * @param progressPeriodMs the time in which a transfer must move {@code progressBytesMin} if memory
 *     is short and the client holds more than its fair share
 * @param progressBytesMin what a client must send or receive in one period; slower clients are cut
 *     off
 * @param stalledMsMax the time in which any transfer must move {@code progressBytesMin}, and in
 *     which a request's head must be complete; {@code progressPeriodMs} if that is longer; at most
 *     one day
 * @param unreadBytesMax how much of a refused request's body is read, so that its client gets the
 *     answer; the reading takes at most one progress period, and a connection with more bytes is
 *     closed
 * @param drainMsMax how long requests in flight may take to finish at shutdown
 * @param targetWaitMsMax how long a request may wait for a target that has just gone away, for
 *     example to restart, or that has stopped answering; 0 to answer 503 immediately, at most 30
 *     seconds
 */
public record GatewayLimits(
    int initialLineBytesMax,
    int headerBytesMax,
    long bodyBytesMax,
    int documentBytesMax,
    int connectionsMax,
    long heldBytesMax,
    int deletesInFlightMax,
    long idleMsMax,
    long progressPeriodMs,
    long progressBytesMin,
    long stalledMsMax,
    long unreadBytesMax,
    long drainMsMax,
    long targetWaitMsMax) {
  /**
   * Bodies up to 5 GiB as in S3, 320 MiB in connections and requests, idle connections for two
   * minutes, and progress periods of one minute, or of one hour while memory is free.
   */
  public static final GatewayLimits DEFAULT =
      new GatewayLimits(
          16 << 10,
          64 << 10,
          5L << 30,
          8 << 20,
          16_384,
          320L << 20,
          32,
          120_000,
          60_000,
          1024,
          3_600_000,
          64 << 20,
          30_000,
          5_000);

  private static final long TARGET_WAIT_MS_LIMIT = 30_000;
  private static final long DAY_MS = 24 * 60 * 60 * 1000;

  public GatewayLimits {
    atLeast("initialLineBytesMax", initialLineBytesMax, 1024);
    atLeast("headerBytesMax", headerBytesMax, 1024);
    atLeast("bodyBytesMax", bodyBytesMax, 1);
    atLeast("documentBytesMax", documentBytesMax, 1024);
    atLeast("connectionsMax", connectionsMax, 1);
    atLeast("heldBytesMax", heldBytesMax, 1);
    atLeast("deletesInFlightMax", deletesInFlightMax, 1);
    atLeast("idleMsMax", idleMsMax, 1);
    atLeast("progressPeriodMs", progressPeriodMs, 1);
    atLeast("progressBytesMin", progressBytesMin, 1);
    atLeast("stalledMsMax", stalledMsMax, 1);
    atLeast("unreadBytesMax", unreadBytesMax, 1);
    atLeast("drainMsMax", drainMsMax, 1);
    atLeast("targetWaitMsMax", targetWaitMsMax, 0);
    atMost("targetWaitMsMax", targetWaitMsMax, TARGET_WAIT_MS_LIMIT);
    atMost("stalledMsMax", stalledMsMax, DAY_MS);
  }

  /**
   * How long a call to a target may wait before it begins: one progress period, or the wait for a
   * target that has gone away if that is longer; at most one day.
   */
  public long callBeginMsMax() {
    return Math.min(Math.max(progressPeriodMs, targetWaitMsMax), DAY_MS);
  }

  /** The time without progress after which any request or transfer is cut off. */
  long withoutProgressMsMax() {
    return Math.max(stalledMsMax, progressPeriodMs);
  }

  /**
   * These limits for a process that may open this many files, of which three quarters may be
   * connections. The other files are for connections to targets, and for a target in the same
   * process.
   */
  public GatewayLimits withinOpenFiles(long openFilesMax) {
    return new GatewayLimits(
        initialLineBytesMax,
        headerBytesMax,
        bodyBytesMax,
        documentBytesMax,
        (int) Math.min(connectionsMax, Math.max(1, openFilesMax / 4 * 3)),
        heldBytesMax,
        deletesInFlightMax,
        idleMsMax,
        progressPeriodMs,
        progressBytesMin,
        stalledMsMax,
        unreadBytesMax,
        drainMsMax,
        targetWaitMsMax);
  }

  private static void atMost(String name, long value, long max) {
    if (value > max) {
      throw new IllegalArgumentException(name + " is " + value + ", must be at most " + max);
    }
  }

  private static void atLeast(String name, long value, long min) {
    if (value < min) {
      throw new IllegalArgumentException(name + " is " + value + ", must be at least " + min);
    }
  }
}
