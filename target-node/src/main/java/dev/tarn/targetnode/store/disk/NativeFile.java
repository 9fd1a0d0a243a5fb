package dev.tarn.targetnode.store.disk;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * What the JDK's channels cannot do with a file, by calls of Linux: reads of only what is in the
 * page cache (preadv2 with RWF_NOWAIT), which an event loop can try, and holes (fallocate). It has
 * its own descriptor, because the JDK hides the descriptors of its channels. On a system without
 * preadv2, every read reports that it would wait, and no hole can be made.
 */
@SuppressWarnings("restricted")
final class NativeFile {
  private static final int OPEN_READ_WRITE_CLOEXEC = 0x80002;
  private static final int RWF_NOWAIT = 8;
  private static final int FALLOC_FL_KEEP_SIZE = 1;
  private static final int FALLOC_FL_PUNCH_HOLE = 2;
  private static final Linker LINKER = Linker.nativeLinker();
  private static final boolean AVAILABLE = LINKER.defaultLookup().find("preadv2").isPresent();
  private static final MethodHandle PREADV2 =
      handle(
          AVAILABLE ? "preadv2" : "preadv",
          FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG, JAVA_INT));
  private static final MethodHandle FALLOCATE =
      handle(
          AVAILABLE ? "fallocate" : "ftruncate",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle OPEN =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("open"),
          FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle CLOSE =
      handle("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final ThreadLocal<MemorySegment> VECTOR =
      ThreadLocal.withInitial(
          () -> Arena.ofAuto().allocate(MemoryLayout.sequenceLayout(2, JAVA_LONG)));
  private static final VarHandle LONGS = JAVA_LONG.arrayElementVarHandle();

  private final int descriptor;
  private int calls;
  private boolean closing;
  private boolean closed;

  private NativeFile(int descriptor) {
    this.descriptor = descriptor;
  }

  private static MethodHandle handle(String name, FunctionDescriptor descriptor) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor);
  }

  static NativeFile open(Path path) {
    if (!AVAILABLE) {
      return new NativeFile(-1);
    }
    try (Arena arena = Arena.ofConfined()) {
      return new NativeFile(
          (int) OPEN.invokeExact(arena.allocateFrom(path.toString()), OPEN_READ_WRITE_CLOEXEC));
    } catch (Throwable e) {
      throw new IllegalStateException("open of " + path + " through FFM failed", e);
    }
  }

  /** Fills the direct buffer; false if that would wait. */
  boolean read(ByteBuffer destination, long position) throws IOException {
    if (descriptor < 0 || !enter()) {
      return false;
    }
    try {
      MemorySegment vector = VECTOR.get();
      int length = destination.remaining();
      LONGS.set(vector, 0L, 0L, MemorySegment.ofBuffer(destination).address());
      LONGS.set(vector, 0L, 1L, (long) length);
      long count = (long) PREADV2.invokeExact(descriptor, vector, 1, position, RWF_NOWAIT);
      if (count != length) {
        return false;
      }
      destination.position(destination.limit());
      return true;
    } catch (Throwable e) {
      throw new IOException("preadv2 through FFM failed", e);
    } finally {
      leave();
    }
  }

  /** Frees the blocks of these bytes, which then read as 0; false if that is not possible. */
  boolean punch(long position, long length) {
    if (descriptor < 0 || !enter()) {
      return false;
    }
    try {
      int mode = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
      return (int) FALLOCATE.invokeExact(descriptor, mode, position, length) == 0;
    } catch (Throwable e) {
      throw new IllegalStateException("fallocate through FFM failed", e);
    } finally {
      leave();
    }
  }

  private synchronized boolean enter() {
    if (closing) {
      return false;
    }
    calls++;
    return true;
  }

  private synchronized void leave() {
    calls--;
    closeIfUnused();
  }

  /**
   * Closes the descriptor once, when the last call ends. The system gives its number to the next
   * file or socket: a later call or a second close would reach that one.
   */
  synchronized void close() {
    closing = true;
    closeIfUnused();
  }

  private void closeIfUnused() {
    if (!closing || closed || calls > 0 || descriptor < 0) {
      return;
    }
    closed = true;
    try {
      int ignored = (int) CLOSE.invokeExact(descriptor);
    } catch (Throwable e) {
      throw new IllegalStateException("close through FFM failed", e);
    }
  }
}
