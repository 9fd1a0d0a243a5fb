package dev.tarn.transport.relay;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.cluster.wire.HttpBinding;
import dev.tarn.transport.tls.HandshakeFailures;
import dev.tarn.transport.tls.PortGuard;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a target, with one call at a time. The bytes of a reply's body are passed on in
 * the buffer that they were read into. All state belongs to the connection's event loop.
 */
final class RelayConnection extends ChannelInboundHandlerAdapter {
  private static final byte[] NOTHING = {};
  private static final int OK = 200;

  /** A buffer filled to less than a quarter is copied, because it may wait for a slow client. */
  private static final int FILLED_SHARE_MIN = 4;

  /** The element that the next byte belongs to. */
  private enum State {
    HEAD,
    PROBE,
    MESSAGE,
    BODY
  }

  private final LoopConnections connections;
  private final ReplyHead head = new ReplyHead();
  private @Nullable Channel channel;
  private @Nullable PendingCall call;
  private @Nullable BodySender sender;
  private @Nullable ReplyBytes body;
  private State state = State.HEAD;
  private byte[] message = NOTHING;
  private int messageSize;
  private long bodyMissing;
  private boolean connecting = true;
  private boolean encrypted;
  private boolean replied;

  /** Whether a reply to a probe is awaited, before the call is sent. */
  private boolean probing;

  /** Whether a read has emptied the socket since reading last began. Later bytes are new. */
  private boolean emptied;

  private long movedNanos;
  private @Nullable IOException cause;

  RelayConnection(LoopConnections connections) {
    this.connections = connections;
    moved();
  }

  /** Small reads for the rest of a body while many bytes wait for slow clients. */
  ReadSizes readSizes() {
    return new ReadSizes(() -> body != null && connections.isCrowded());
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    channel = context.channel();
    encrypted = context.pipeline().get(SslHandler.class) != null;
    if (encrypted) {
      context.pipeline().addFirst(new EncryptedBytes());
    }
  }

  /** Tells whether a read has emptied the socket, which decrypted buffers do not tell. */
  private final class EncryptedBytes extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object received) {
      boolean emptiesSocket = ((ByteBuf) received).isWritable();
      context.fireChannelRead(received);
      emptied |= emptiesSocket;
    }
  }

  /** Notes that the target has accepted the connection. A call may follow much later. */
  void connected() {
    connecting = false;
    moved();
  }

  /**
   * Sends a call; no other call is in progress on this connection. A new connection in the clear
   * may reach a target that was switched to TLS and refuses the call. A body cannot be sent twice,
   * so a probe precedes a call with a body there.
   */
  void start(PendingCall begun) {
    call = begun;
    emptied = true;
    head.reset();
    state = State.HEAD;
    probing = begun.request().body().isPresent() && !encrypted && !replied;
    if (probing) {
      String probe = "GET " + HttpBinding.PROBE_PATH + " HTTP/1.1\r\nhost: ";
      send(Unpooled.copiedBuffer(probe + connections.address() + "\r\n\r\n", US_ASCII));
      return;
    }
    send(begun.request().rendered(connections.address()));
    if (begun.request().body().isPresent()) {
      BodySender started = new BodySender(this, begun.request().body().orElseThrow());
      sender = started;
      started.start();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object received) {
    ByteBuf in = (ByteBuf) received;
    if (call == null) {
      in.release();
      abort();
      return;
    }
    moved();
    if (emptied) {
      connections.received(movedNanos);
    }
    emptied |= !encrypted && in.isWritable();
    try {
      read(in);
    } catch (RelayException violation) {
      in.release();
      cause = violation;
      abort();
    }
  }

  private void read(ByteBuf in) throws RelayException {
    if (state == State.HEAD && head.feed(in)) {
      if (isRefusedUnread()) {
        in.release();
        refused();
        return;
      }
      if (probing) {
        state = State.PROBE;
        bodyMissing = head.bodyLength();
      } else {
        headIsWhole();
      }
    }
    if (state == State.PROBE) {
      readProbed(in);
      return;
    }
    if (state == State.MESSAGE) {
      int size = Math.min(message.length - messageSize, in.readableBytes());
      in.readBytes(message, messageSize, size);
      messageSize += size;
      if (messageSize == message.length) {
        state = State.BODY;
        beginBody(in);
        return;
      }
    }
    if (state == State.BODY) {
      readBody(in);
    } else {
      in.release();
    }
  }

  /**
   * Whether the target has refused the call unread, and no byte of the call's body was sent. The
   * target drains, or takes TLS only and its announcement of that has not arrived.
   */
  private boolean isRefusedUnread() {
    return (head.status() == HttpBinding.DRAINING_STATUS || takesTlsOnly()) && sender == null;
  }

  private boolean takesTlsOnly() {
    return head.status() == PortGuard.TLS_DUE_STATUS;
  }

  private void refused() {
    PendingCall unread = current();
    call = null;
    abort();
    connections.notTaken(
        unread, takesTlsOnly() ? HandshakeFailures.TAKES_TLS_ONLY : "is about to end");
  }

  /** Sends the call when the reply to the probe is whole. An older target replies with a text. */
  private void readProbed(ByteBuf in) throws RelayException {
    count(in);
    in.release();
    if (bodyMissing > 0) {
      return;
    }
    if (head.close()) {
      refused();
      return;
    }
    replied = true;
    start(current());
  }

  private void headIsWhole() throws RelayException {
    if (head.status() != OK) {
      throw new RelayException("gave status " + head.status() + " and no outcome");
    }
    replied = true;
    connections.replied(movedNanos);
    state = State.MESSAGE;
    message = new byte[head.messageLength()];
    messageSize = 0;
    BodySender sending = sender;
    if (sending != null) {
      sending.stop();
    }
  }

  private void beginBody(ByteBuf in) throws RelayException {
    PendingCall replied = current();
    bodyMissing = head.bodyLength();
    count(in);
    if (bodyMissing == 0) {
      ByteBuf rest = fitted(in);
      RelayReply whole =
          new RelayReply(message, new OutgoingBody.Bytes(rest.nioBuffer(), rest::release));
      replyIsWhole();
      replied.succeed(whole);
      return;
    }
    ReplyBytes begun = new ReplyBytes(this, head.bodyLength());
    body = begun;
    if (in.isReadable()) {
      begun.received(fitted(in));
    } else {
      in.release();
    }
    replied.succeed(new RelayReply(message, begun.outgoing()));
    flow(begun);
  }

  private void readBody(ByteBuf in) throws RelayException {
    ReplyBytes to = body;
    count(in);
    if (to == null) {
      in.release();
    } else if (bodyMissing > 0) {
      to.received(fitted(in));
      flow(to);
    } else {
      replyIsWhole();
      to.last(fitted(in));
    }
  }

  private void count(ByteBuf in) throws RelayException {
    bodyMissing -= in.readableBytes();
    if (bodyMissing < 0) {
      throw new RelayException("sent more bytes than its answer announced");
    }
  }

  /**
   * Copies bytes into a smaller buffer if they fill too little of their buffer. Bytes that wait for
   * a slow client then occupy at most four times their size.
   */
  private static ByteBuf fitted(ByteBuf in) {
    if (in.readableBytes() >= in.capacity() / FILLED_SHARE_MIN) {
      return in;
    }
    ByteBuf copy = PooledByteBufAllocator.DEFAULT.directBuffer(in.readableBytes());
    copy.writeBytes(in);
    in.release();
    return copy;
  }

  /** Frees the connection for another call. */
  private void replyIsWhole() {
    call = null;
    body = null;
    sender = null;
    moved();
    if (head.close()) {
      abort();
    } else {
      channel().config().setAutoRead(true);
      connections.freed(this);
    }
  }

  /** Continues reading if the body has room, and stops reading if it has none. */
  void flow(ReplyBytes of) {
    if (body == of && channel().config().isAutoRead() != of.wantsMore()) {
      moved();
      emptied = false;
      channel().config().setAutoRead(of.wantsMore());
    }
  }

  /** Sends more of the request's body, because the target's socket has room. */
  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    moved();
    BodySender sending = sender;
    if (sending != null) {
      sending.writabilityChanged();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable thrown) {
    if (cause == null && HandshakeFailures.isOfTls(thrown)) {
      if (!connecting) {
        connections.notAccepted(thrown);
      }
      cause = new RelayException(HandshakeFailures.summary(thrown));
    } else if (cause == null) {
      cause = thrown instanceof IOException known ? known : new IOException(thrown);
    }
    abort();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    PendingCall lost = call;
    call = null;
    connections.closed(this);
    if (lost == null) {
      return;
    }
    BodySender sending = sender;
    if (sending != null) {
      sending.abandon();
    }
    IOException why = cause;
    if (isRefusedAfterTheHandshake(why)) {
      connections.notAccepted(why == null ? new ClosedChannelException() : why);
    }
    ReplyBytes broken = body;
    body = null;
    if (broken != null) {
      broken.broken(new IOException("the target broke off its answer", why));
    } else if (probing && !(why instanceof RelayException)) {
      connections.notTaken(lost, problem(why));
    } else if (mayRepeat(lost)) {
      connections.callAgain(lost.secondTry());
    } else {
      lost.fail(connections.unavailable(problem(why)));
    }
  }

  /**
   * Whether a lost call may be sent again. A target that shuts down may close a connection just as
   * a call is sent on it.
   */
  private boolean mayRepeat(PendingCall lost) {
    return lost.request().repeatable()
        && !lost.again()
        && !head.begun()
        && !(cause instanceof RelayException);
  }

  /** Whether the target may have refused the certificate of this process, and gave no reason. */
  private boolean isRefusedAfterTheHandshake(@Nullable IOException why) {
    return encrypted && !replied && !(why instanceof RelayException);
  }

  private String problem(@Nullable IOException why) {
    return isRefusedAfterTheHandshake(why)
        ? ConnectionFailures.CLOSED_EARLY
        : ConnectionFailures.broken(why);
  }

  /** Why the connection was closed, rather than that it was, as the cause given says. */
  Throwable causeOr(Throwable given) {
    IOException known = cause;
    return known != null && given instanceof ClosedChannelException ? known : given;
  }

  /**
   * Closes the connection if the target is silent during a call, or if the connection was idle for
   * too long.
   */
  void checkSilence(long nowNanos, long idleNanosMax) {
    if (nowNanos - movedNanos > idleNanosMax && (call == null || awaitsTarget())) {
      giveUp("was silent for " + TimeUnit.NANOSECONDS.toMillis(idleNanosMax) + " ms");
    }
  }

  /** Closes the connection; its call, if any, fails for this reason. */
  void giveUp(String problem) {
    cause = new RelayException(problem);
    abort();
  }

  /** Whether the target has to accept the connection, to send bytes or to receive bytes. */
  boolean isAwaiting() {
    return connecting || (call != null && awaitsTarget());
  }

  /** Whether the connection has a call that waits for a silent target. */
  boolean waitsForTarget() {
    PendingCall present = call;
    return present != null && present.request().waitsForTarget();
  }

  /** When bytes last moved, or the connection was begun. */
  long movedNanos() {
    return movedNanos;
  }

  private boolean awaitsTarget() {
    Channel to = channel();
    BodySender sending = sender;
    return body != null
        ? to.config().isAutoRead()
        : sending == null || sending.ended() || !to.isWritable();
  }

  void moved() {
    movedNanos = connections.now();
  }

  /** Writes bytes and releases them; a failure reaches {@link #exceptionCaught}. */
  @SuppressWarnings("FutureReturnValueIgnored")
  void send(ByteBuf bytes) {
    moved();
    Channel to = channel();
    to.writeAndFlush(bytes, to.voidPromise());
  }

  /** Closes the connection immediately, even during a call. */
  void abort() {
    Channel open = channel;
    if (open != null) {
      open.unsafe().close(open.voidPromise());
    }
  }

  boolean isEncrypted() {
    return encrypted;
  }

  boolean isOpen() {
    return channel().isActive();
  }

  Channel channel() {
    if (channel == null) {
      throw new IllegalStateException("not connected");
    }
    return channel;
  }

  private PendingCall current() {
    if (call == null) {
      throw new IllegalStateException("no call in progress");
    }
    return call;
  }

  /** Runs a step on the event loop; immediately if this thread is that event loop. */
  void onLoop(Runnable step) {
    connections.onLoop(step);
  }
}
