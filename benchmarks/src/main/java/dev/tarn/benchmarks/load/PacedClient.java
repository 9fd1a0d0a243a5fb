package dev.tarn.benchmarks.load;

import static java.util.Objects.requireNonNull;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/**
 * Sends requests at a fixed rate, however long their answers take. Each request has a thread of its
 * own, and a kept connection or a new one. Failures are results, not errors.
 */
public final class PacedClient implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 << 10;

  private final InetSocketAddress server;
  private final Queue<SocketChannel> idle = new ConcurrentLinkedQueue<>();

  public PacedClient(InetSocketAddress server) {
    this.server = requireNonNull(server, "server is null");
  }

  /**
   * Sends requests for this long, and waits for all answers.
   *
   * @param requests returns the request of an index, counted from 0
   */
  public List<TimedAnswer> run(
      int perSecond, Duration duration, IntFunction<PreparedRequest> requests) throws IOException {
    long periodNanos = Duration.ofSeconds(1).toNanos() / perSecond;
    long count = duration.toNanos() / periodNanos;
    long startNanos = System.nanoTime();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<TimedAnswer>> answers = new ArrayList<>();
      for (int index = 0; index < count; index++) {
        long dueNanos = startNanos + index * periodNanos;
        for (long early = 1; early > 0; early = dueNanos - System.nanoTime()) {
          LockSupport.parkNanos(early);
        }
        int number = index;
        answers.add(threads.submit(() -> send(number, dueNanos, requests.apply(number))));
      }
      List<TimedAnswer> ended = new ArrayList<>();
      for (Future<TimedAnswer> answer : answers) {
        ended.add(answer.get());
      }
      return ended;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted during a load", e);
    } catch (ExecutionException e) {
      throw new IOException("a request could not be sent", e);
    }
  }

  private TimedAnswer send(int index, long dueNanos, PreparedRequest request) {
    ResponseHead head = new ResponseHead();
    int status = 0;
    SocketChannel channel = idle.poll();
    try {
      if (channel == null) {
        channel = SocketChannel.open(server);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      }
      exchange(channel, request, head);
      status = head.status();
      if (head.close()) {
        channel.close();
      } else {
        idle.add(channel);
      }
    } catch (IOException | UnexpectedAnswerException e) {
      close(channel);
    }
    return new TimedAnswer(index, status, dueNanos, System.nanoTime(), head.header("location"));
  }

  private static void exchange(SocketChannel channel, PreparedRequest request, ResponseHead head)
      throws IOException, UnexpectedAnswerException {
    ByteBuffer[] output = {request.head().duplicate(), request.body().duplicate()};
    while (output[0].hasRemaining() || output[1].hasRemaining()) {
      channel.write(output);
    }
    ByteBuffer input = ByteBuffer.allocate(BUFFER_BYTES).flip();
    while (!head.feed(input)) {
      read(channel, input);
    }
    AnswerBody body = new AnswerBody();
    body.begin(head.chunked(), Math.max(0, head.contentLength()), false, false);
    while (!body.feed(input)) {
      read(channel, input);
    }
  }

  private static void read(SocketChannel channel, ByteBuffer input) throws IOException {
    input.clear();
    if (channel.read(input) < 0) {
      throw new EOFException("the server closed the connection before the end of the answer");
    }
    input.flip();
  }

  private static void close(SocketChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      // The request has failed already.
    }
  }

  @Override
  public void close() {
    idle.forEach(PacedClient::close);
  }
}
