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
 * Reads only what is in the page cache, by preadv2 with RWF_NOWAIT (Linux). An event loop can
 * therefore try a read that must not wait for the device. It has its own descriptor, because the
 * JDK hides the descriptors of its channels. On a system without this call, every read reports that
 * it would wait.
 */
@SuppressWarnings("restricted")
final class NowaitReader {
  private static final int OPEN_READ_CLOEXEC = 0x80000;
  private static final int RWF_NOWAIT = 8;
  private static final Linker LINKER = Linker.nativeLinker();
  private static final boolean AVAILABLE = LINKER.defaultLookup().find("preadv2").isPresent();
  private static final MethodHandle PREADV2 =
      handle(
          AVAILABLE ? "preadv2" : "preadv",
          FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG, JAVA_INT));
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
  private int readers;
  private boolean closing;

  private NowaitReader(int descriptor) {
    this.descriptor = descriptor;
  }

  private static MethodHandle handle(String name, FunctionDescriptor descriptor) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor);
  }

  static NowaitReader open(Path path) {
    if (!AVAILABLE) {
      return new NowaitReader(-1);
    }
    try (Arena arena = Arena.ofConfined()) {
      return new NowaitReader(
          (int) OPEN.invokeExact(arena.allocateFrom(path.toString()), OPEN_READ_CLOEXEC));
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

  private synchronized boolean enter() {
    if (closing) {
      return false;
    }
    readers++;
    return true;
  }

  private synchronized void leave() {
    readers--;
    closeIfUnused();
  }

  /**
   * Closes the descriptor when the last read ends. The number could otherwise be reused, and a read
   * would get another file's bytes.
   */
  synchronized void close() {
    closing = true;
    closeIfUnused();
  }

  private void closeIfUnused() {
    if (!closing || readers > 0 || descriptor < 0) {
      return;
    }
    try {
      int ignored = (int) CLOSE.invokeExact(descriptor);
    } catch (Throwable e) {
      throw new IllegalStateException("close through FFM failed", e);
    }
  }
}
