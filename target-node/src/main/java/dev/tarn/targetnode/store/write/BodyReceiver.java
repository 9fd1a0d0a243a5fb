package dev.tarn.targetnode.store.write;

import dev.tarn.cluster.checksum.BodyDigests;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.memory.Chunks;
import dev.tarn.targetnode.store.room.Room;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Receives one body.
 *
 * <p>The publisher needs its buffers back at once, so their bytes are copied. Memory belongs to
 * bytes that have arrived: the first bytes of a body, and all bytes of a body that is known to be
 * small, are gathered in a heap buffer that grows with them. The other bytes are copied into
 * chunks. A worker computes the digests of a full chunk and writes it while the next one fills.
 * With two chunks in progress, no more bytes are requested. While chunks are scarce, a body whose
 * sender pauses writes its chunk early. While all bodies together have gathered as much as they
 * may, a body takes a chunk before it requests bytes, however few. A body of unknown length that
 * ends before its first write is treated as small.
 *
 * <p>The publisher's signals come one at a time and own the fields. The lock guards the memory
 * being filled, because the pool may give or take a chunk meanwhile, and so may a worker whose
 * write failed.
 */
public final class BodyReceiver implements Flow.Subscriber<ByteBuffer>, Chunks.Filler {
  /** The digests of a body up to this length are computed on the publisher's thread. */
  private static final int DIGESTED_AT_ONCE_BYTES = 64 << 10;

  /** A large body that has sent no more than this needs no chunk. */
  private static final int GATHERED_BYTES_MAX = 16 << 10;

  private static final int GATHERED_BYTES_MIN = 256;

  /** A body of unknown length asks for room in steps of this size. */
  private static final long UNDECLARED_BYTES = 8 << 20;

  /** A buffer grows to this many times the bytes that have arrived. */
  private static final int GROWTH = 4;

  private final BodyWriting writing;
  private final DiskStore store;
  private final IncomingBody body;
  private final Placing placing;
  private final BodyDigests digests;
  private final CompletableFuture<Outcome<ReceivedBody>> received = new CompletableFuture<>();
  private final ExtentSink sink;
  private Room.@Nullable Promise room;
  private long undeclaredRoom;
  private Flow.@Nullable Subscription subscription;
  private @Nullable ByteBuffer gathered;
  private @Nullable ByteBuffer chunk;
  private boolean earlyWriteAsked;
  private long length;
  private boolean stopped;

  /**
   * The destination of the bytes.
   *
   * @param inlineBytesMax the greatest length that goes into the record; 0 to always use an extent
   * @param durable whether an extent must be on the device before the body counts as received
   */
  public record Placing(int inlineBytesMax, boolean durable) {}

  private BodyReceiver(
      BodyWriting writing,
      DiskStore store,
      IncomingBody body,
      Placing placing,
      Set<ChecksumAlgorithm> algorithms) {
    this.writing = writing;
    this.store = store;
    this.body = body;
    this.placing = placing;
    Set<ChecksumAlgorithm> all = EnumSet.noneOf(ChecksumAlgorithm.class);
    all.addAll(algorithms);
    body.declaredDigests().checksums().forEach(checksum -> all.add(checksum.algorithm()));
    this.digests = new BodyDigests(true, all);
    this.sink = new ExtentSink(store, writing, digests);
  }

  /**
   * Begins to receive a body.
   *
   * @param algorithms to compute besides the MD5 and the declared ones
   */
  static CompletionStage<Outcome<ReceivedBody>> receive(
      BodyWriting writing,
      DiskStore store,
      IncomingBody body,
      Placing placing,
      Set<ChecksumAlgorithm> algorithms) {
    BodyReceiver receiver = new BodyReceiver(writing, store, body, placing, algorithms);
    body.bytes().subscribe(receiver);
    return receiver.received;
  }

  @Override
  public void onSubscribe(Flow.Subscription newSubscription) {
    subscription = newSubscription;
    Optional<Room.Promise> promise = store.promiseNow(declaredBytes());
    if (promise.isPresent()) {
      begin(promise.orElseThrow());
    } else {
      writing.workers().execute(this::askForRoom);
    }
  }

  private long declaredBytes() {
    return Math.max(body.length(), 0);
  }

  /** Begins with the room for the body; gives it back if the body has ended meanwhile. */
  private void begin(Room.Promise promise) {
    synchronized (this) {
      if (stopped) {
        promise.close();
        return;
      }
      room = promise;
    }
    sink.writeInto(promise);
    requestOrRefill(true);
  }

  /** Asks the file system before the body is refused. */
  private void askForRoom() {
    switch (store.attempt(() -> store.promise(declaredBytes()))) {
      case Outcome.Success<Room.Promise>(Room.Promise promise) -> begin(promise);
      case Outcome.Failed<Room.Promise>(Failure failure) -> {
        cancel();
        end(Outcome.failed(failure));
      }
    }
  }

  /** Asks for more room for a body of unknown length: in large steps while there is enough. */
  private synchronized boolean hasRoom() {
    Room.Promise promise = room;
    if (body.length() >= 0 || promise == null || length <= undeclaredRoom) {
      return true;
    }
    long missing = length - undeclaredRoom;
    long more = promise.extend(missing + UNDECLARED_BYTES) ? missing + UNDECLARED_BYTES : missing;
    if (more == missing && !promise.extend(missing)) {
      return false;
    }
    undeclaredRoom += more;
    return true;
  }

  @Override
  public void onNext(ByteBuffer bytes) {
    length += bytes.remaining();
    if (body.length() >= 0 && length > body.length()) {
      cancel();
      fail(wrongLength("more than " + body.length()));
      return;
    }
    if (!hasRoom()) {
      cancel();
      fail(store.outOfSpace());
      return;
    }
    ByteBuffer filling = chunkFor(bytes.remaining());
    if (filling == null) {
      requestOrRefill(gather(bytes) <= GATHERED_BYTES_MAX || isKnownSmall());
      return;
    }
    filling.put(bytes);
    if (filling.position() >= Chunks.FULL_BYTES) {
      leaveFilling();
      sink.write(filling, this::failWriting);
      sink.whenRoom(this::refill);
    } else if (!fill(filling)) {
      writing.chunks().filled(this);
      writing.giveBack(filling);
    }
  }

  /** The chunk is about to be returned, which also answers a request to write it early. */
  private synchronized void leaveFilling() {
    earlyWriteAsked = false;
    writing.chunks().filled(this);
  }

  private boolean isKnownSmall() {
    return body.length() >= 0 && body.length() <= placing.inlineBytesMax();
  }

  /** The chunk that the next bytes go into; null if they are few, or if no chunk is free. */
  private synchronized @Nullable ByteBuffer chunkFor(int bytes) {
    ByteBuffer filling = chunk;
    chunk = null;
    int few = gathered == null ? bytes : gathered.position() + bytes;
    boolean gathers = isKnownSmall() || few <= GATHERED_BYTES_MAX;
    if (filling != null || stopped || (gathers && !writing.chunks().hasGatheredMost())) {
      return filling;
    }
    filling = sink.hasRoom() ? writing.chunks().poll(this) : null;
    if (filling != null) {
      moveGathered(filling);
    }
    return filling;
  }

  /** Copies bytes to the heap; returns how many are there now. */
  private synchronized int gather(ByteBuffer bytes) {
    if (stopped) {
      return 0;
    }
    ByteBuffer present = gathered;
    int needed = bytes.remaining() + (present == null ? 0 : present.position());
    if (present == null || present.capacity() < needed) {
      long bound = isKnownSmall() ? body.length() : GATHERED_BYTES_MAX;
      long grown = Math.min(Math.max((long) needed * GROWTH, GATHERED_BYTES_MIN), bound);
      ByteBuffer larger = ByteBuffer.allocate((int) Math.max(grown, needed));
      writing.chunks().addGathered(larger.capacity() - capacity(present));
      present = present == null ? larger : larger.put(present.flip());
      gathered = present;
    }
    return present.put(bytes).position();
  }

  private void moveGathered(ByteBuffer to) {
    ByteBuffer present = takeGathered();
    if (present != null) {
      to.put(present.flip());
    }
  }

  private @Nullable ByteBuffer takeGathered() {
    ByteBuffer present = gathered;
    gathered = null;
    writing.chunks().addGathered(-capacity(present));
    return present;
  }

  private static long capacity(@Nullable ByteBuffer buffer) {
    return buffer == null ? 0 : buffer.capacity();
  }

  /** Takes a chunk to fill and requests bytes for it. */
  private void refill() {
    writing.chunks().take(this);
  }

  @Override
  public boolean fill(ByteBuffer taken) {
    ByteBuffer unused = null;
    synchronized (this) {
      if (stopped) {
        return false;
      }
      moveGathered(taken);
      chunk = taken;
      if (earlyWriteAsked) {
        unused = writeChunkEarly();
      }
    }
    writing.giveBack(unused);
    request();
    return true;
  }

  @Override
  public void writeEarly() {
    writing.giveBack(writeChunkEarly());
  }

  /**
   * Hands the chunk to the sink. More bytes have been requested already, or will be. Returns the
   * chunk if it has no bytes. A late request may have been meant for an earlier chunk: the pool
   * still counts this one as being filled.
   */
  private synchronized @Nullable ByteBuffer writeChunkEarly() {
    ByteBuffer early = chunk;
    if (early == null) {
      earlyWriteAsked = true;
      return null;
    }
    chunk = null;
    leaveFilling();
    if (early.position() == 0) {
      return early;
    }
    sink.write(early, this::failWriting); // Under the lock, so that later bytes come behind.
    return null;
  }

  @Override
  public void onError(Throwable cause) {
    fail(new Failure.IncompleteBody(Failure.reasonOf(cause)));
  }

  @Override
  public void onComplete() {
    ByteBuffer last = stop();
    if (body.length() >= 0 && length != body.length()) {
      writing.giveBack(last);
      fail(wrongLength(Long.toString(length)));
      return;
    }
    if (!sink.started() && length <= placing.inlineBytesMax()) {
      finishSmall(last);
    } else {
      sink.finish(
          last,
          placing.durable(),
          extent ->
              conclude(() ->
                  new ReceivedBody(
                      length, digests.finish(), ByteBuffer.allocate(0), Optional.of(extent))),
          this::failWriting);
    }
  }

  private void finishSmall(@Nullable ByteBuffer last) {
    ByteBuffer bytes = onHeap(last);
    ByteBuffer inline = bytes.asReadOnlyBuffer();
    ByteBuffer digested = bytes.duplicate();
    Runnable conclusion =
        () -> {
          digests.update(digested);
          conclude(() -> new ReceivedBody(length, digests.finish(), inline, Optional.empty()));
        };
    if (length <= DIGESTED_AT_ONCE_BYTES) {
      conclusion.run();
    } else {
      writing.workers().execute(conclusion);
    }
  }

  private ByteBuffer onHeap(@Nullable ByteBuffer last) {
    if (last != null && !last.isDirect()) {
      return last.flip();
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) length);
    if (last != null) {
      bytes.put(last.flip());
      writing.giveBack(last);
    }
    return bytes.flip();
  }

  private void conclude(Supplier<ReceivedBody> whole) {
    ReceivedBody result = whole.get();
    Optional<Failure> contradiction = result.digests().contradiction(body.declaredDigests());
    if (contradiction.isPresent()) {
      sink.abandon();
      end(Outcome.failed(contradiction.orElseThrow()));
    } else {
      end(Outcome.success(result));
    }
  }

  private void failWriting(IOException e) {
    cancel();
    fail(store.health().failureOf(e));
  }

  private Failure wrongLength(String actual) {
    return new Failure.IncompleteBody(
        "The body has " + actual + " bytes, " + body.length() + " were declared.");
  }

  private void fail(Failure failure) {
    writing.giveBack(stop());
    sink.abandon();
    end(Outcome.failed(failure));
  }

  private void end(Outcome<ReceivedBody> outcome) {
    writing.giveBack(stop());
    closeRoom();
    received.complete(outcome);
  }

  private synchronized void closeRoom() {
    if (room != null) {
      room.close();
    }
  }

  /** Accepts no more bytes. Returns those that no chunk was written for, or null. */
  private synchronized @Nullable ByteBuffer stop() {
    stopped = true;
    ByteBuffer last = takeGathered();
    if (chunk != null) {
      writing.chunks().filled(this);
      last = chunk;
      chunk = null;
    }
    return last;
  }

  private void requestOrRefill(boolean gathers) {
    if (gathers && !writing.chunks().hasGatheredMost()) {
      request();
    } else {
      sink.whenRoom(this::refill);
    }
  }

  private void request() {
    Flow.Subscription active = subscription;
    if (active != null) {
      active.request(1);
    }
  }

  private void cancel() {
    Flow.Subscription active = subscription;
    if (active != null) {
      active.cancel();
    }
  }
}
