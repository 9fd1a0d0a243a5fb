package dev.tarn.benchmarks.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

import dev.tarn.benchmarks.load.SlowClient.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients that move one byte a second each. A third of them send the headers of a request, a third
 * the body of a PUT, and a third read the answer to a GET. One thread gives each client its turn.
 *
 * <p>They connect from addresses of their own, 127.0.0.2 and the following, since one address has
 * fewer than 30,000 ports. Readers have small receive buffers, so that the bytes of their answers
 * stay with the server.
 */
public final class SlowClients implements AutoCloseable {
  /** How many clients are opened a second: opening is no part of the load. */
  public static final int OPENED_PER_SECOND = 500;

  private static final List<Kind> KINDS = List.of(Kind.values());
  private static final int CLIENTS_PER_ADDRESS = 10_000;
  private static final int RECEIVE_BYTES = 4096;
  private static final int CONNECT_MS_MAX = 10_000;
  private static final int BUFFER_BYTES = 16 << 10;
  private static final int TURNS_PER_PERIOD = 100;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final InetSocketAddress server;
  private final PreparedRequest get;
  private final PreparedRequest put;
  private final ByteBuffer headers;
  private final SlowClient[] clients;
  private final Thread thread = Thread.ofPlatform().name("slow-clients").unstarted(this::drip);
  private final long turnNanos;
  private volatile int opened;
  private volatile boolean stopped;

  private SlowClients(
      InetSocketAddress server,
      int count,
      PreparedRequest get,
      PreparedRequest put,
      Duration period) {
    this.server = requireNonNull(server, "server is null");
    this.get = requireNonNull(get, "get is null");
    this.put = requireNonNull(put, "put is null");
    clients = new SlowClient[count];
    turnNanos = period.dividedBy(TURNS_PER_PERIOD).toNanos();
    String head =
        "GET / HTTP/1.1\r\nHost: " + server.getAddress().getHostAddress() + "\r\nx-slow: ";
    byte[] endless = (head + "a".repeat(BUFFER_BYTES)).getBytes(US_ASCII);
    headers = ByteBuffer.allocateDirect(endless.length).put(endless).flip();
  }

  /**
   * Opens the clients one after the other.
   *
   * @param get what the readers ask for
   * @param put what the others send; its head at once, its body slowly
   * @throws IOException if this machine has no socket or port for a client
   */
  public static SlowClients open(
      InetSocketAddress server, int count, PreparedRequest get, PreparedRequest put)
      throws IOException {
    return open(server, count, get, put, Duration.ofSeconds(1));
  }

  /** Opens clients that move one byte in each period. */
  static SlowClients open(
      InetSocketAddress server,
      int count,
      PreparedRequest get,
      PreparedRequest put,
      Duration period)
      throws IOException {
    SlowClients slow = new SlowClients(server, count, get, put, period);
    slow.thread.start();
    try {
      long start = System.nanoTime();
      for (int index = 0; index < count; index++) {
        long due = start + index * TimeUnit.SECONDS.toNanos(1) / OPENED_PER_SECOND;
        LockSupport.parkNanos(due - System.nanoTime());
        slow.add(index);
      }
      return slow;
    } catch (IOException e) {
      slow.close();
      throw e;
    }
  }

  private void add(int index) throws IOException {
    Kind kind = KINDS.get(index % KINDS.size());
    SocketChannel channel = connect(index);
    clients[index] =
        switch (kind) {
          case HEADERS -> new SlowClient(kind, channel, NOTHING, headers);
          case PUT -> new SlowClient(kind, channel, put.head(), put.body());
          case GET -> new SlowClient(kind, channel, get.head(), NOTHING);
        };
    opened = index + 1;
  }

  private SocketChannel connect(int index) throws IOException {
    byte[] from = {127, 0, 0, (byte) (2 + index / CLIENTS_PER_ADDRESS)};
    SocketChannel channel = null;
    try {
      channel = SocketChannel.open();
      channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BYTES);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.bind(new InetSocketAddress(InetAddress.getByAddress(from), 0));
      channel.socket().connect(server, CONNECT_MS_MAX);
      channel.configureBlocking(false);
      return channel;
    } catch (IOException e) {
      if (channel != null) {
        channel.close();
      }
      throw new IOException(
          "slow client %,d of %,d has no connection to %s: %s; raise the limit of open files (ulimit -n) and the range of ports (net.ipv4.ip_local_port_range), or use fewer clients"
              .formatted(index + 1, clients.length, server, e.getMessage()),
          e);
    }
  }

  /** Gives each client a turn in each period; the turns are spread over the period. */
  private void drip() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(1);
    long due = System.nanoTime();
    for (int turn = 0; !stopped; turn++) {
      for (int index = turn % TURNS_PER_PERIOD; index < opened; index += TURNS_PER_PERIOD) {
        clients[index].turn(buffer);
      }
      due = Math.max(due + turnNanos, System.nanoTime());
      LockSupport.parkNanos(due - System.nanoTime());
    }
  }

  /**
   * Ends the load.
   *
   * @return how many clients the server ended before, by kind and cause
   */
  public SortedMap<String, Integer> ended() throws IOException {
    stop();
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    SortedMap<String, Integer> ended = new TreeMap<>();
    for (int index = 0; index < opened; index++) {
      clients[index].drain(buffer);
      clients[index].ended().ifPresent(how -> ended.merge(how, 1, Integer::sum));
    }
    return ended;
  }

  private void stop() throws IOException {
    // No interrupt: it would close the channel that the thread reads.
    stopped = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted during a load", e);
    }
  }

  @Override
  public void close() throws IOException {
    stop();
    for (int index = 0; index < opened; index++) {
      clients[index].close();
    }
  }
}
