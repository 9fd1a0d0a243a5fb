package dev.tarn.benchmarks.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** One connection with at most one request in flight. */
final class LoadConnection implements AutoCloseable {
  private final ResponseHead head = new ResponseHead();
  private final AnswerBody body = new AnswerBody();
  private final boolean verified;
  private final SocketChannel channel;
  private final SelectionKey key;
  private final ByteBuffer[] output = new ByteBuffer[2];
  private PreparedRequest request;
  private boolean headComplete;

  /** Connects and sends the first request. */
  LoadConnection(
      InetSocketAddress server, Selector selector, boolean verified, PreparedRequest first)
      throws IOException {
    this.verified = verified;
    channel = SocketChannel.open(server);
    try {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.configureBlocking(false);
      key = channel.register(selector, SelectionKey.OP_READ, this);
      request = first;
      send(first);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  void send(PreparedRequest next) throws IOException {
    request = next;
    headComplete = false;
    head.reset();
    output[0] = next.head().duplicate();
    output[1] = next.body().duplicate();
    write();
  }

  /** Sends as many bytes as the socket accepts. */
  void write() throws IOException {
    if (output[1].limit() == 0) {
      channel.write(output[0]);
    } else {
      channel.write(output);
    }
    int interest = sent() ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE;
    if (key.interestOps() != interest) {
      key.interestOps(interest);
    }
  }

  private boolean sent() {
    return !output[0].hasRemaining() && !output[1].hasRemaining();
  }

  /**
   * Reads the bytes that have arrived.
   *
   * @param buffer the buffer to use; its content is overwritten
   * @return whether the answer is complete
   */
  boolean read(ByteBuffer buffer) throws IOException, UnexpectedAnswerException {
    while (true) {
      buffer.clear();
      int count = channel.read(buffer);
      if (count < 0) {
        throw new EOFException("the server closed the connection before the end of the answer");
      }
      buffer.flip();
      if (count > 0 && feed(buffer)) {
        return true;
      }
      // A partly filled buffer means that the socket is empty; another read would return 0.
      if (count < buffer.capacity()) {
        return false;
      }
    }
  }

  private boolean feed(ByteBuffer input) throws UnexpectedAnswerException {
    if (!headComplete) {
      headComplete = head.feed(input);
      if (!headComplete) {
        return false;
      }
      body.begin(
          head.chunked(),
          bodyLength(),
          verified && request.expectation().crc32c().isPresent(),
          head.status() != request.expectation().status());
    }
    boolean bodiless = !request.answerHasBody() || head.status() == 204 || head.status() == 304;
    boolean complete = bodiless || body.feed(input);
    if (complete && input.hasRemaining()) {
      throw new UnexpectedAnswerException("unexpected bytes follow the answer");
    }
    return complete;
  }

  private long bodyLength() throws UnexpectedAnswerException {
    if (request.answerHasBody() && !head.chunked() && head.contentLength() < 0) {
      throw new UnexpectedAnswerException("the answer has neither Content-Length nor chunks");
    }
    return head.contentLength();
  }

  /** Compares the complete answer with the expected one. */
  void check() throws UnexpectedAnswerException {
    Expectation expected = request.expectation();
    if (head.status() != expected.status()) {
      throw new UnexpectedAnswerException(
          "%s: status %d instead of %d: %s"
              .formatted(request.line(), head.status(), expected.status(), body.excerpt()));
    }
    long length = request.answerHasBody() ? body.length() : head.contentLength();
    if (expected.length().isPresent() && length != expected.length().orElseThrow()) {
      throw new UnexpectedAnswerException(
          "%s: %d bytes instead of %d"
              .formatted(request.line(), length, expected.length().orElseThrow()));
    }
    boolean compared = verified && request.answerHasBody() && expected.crc32c().isPresent();
    if (compared && body.crc32c() != expected.crc32c().orElseThrow()) {
      throw new UnexpectedAnswerException(request.line() + ": the body's CRC32C is wrong");
    }
  }

  /** The bytes of the request's and the answer's body. */
  long bytes() {
    return request.body().limit() + (request.answerHasBody() ? body.length() : 0);
  }

  /** Whether this connection can send another request. */
  boolean reusable() {
    return sent() && !head.close();
  }

  PreparedRequest request() {
    return request;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
