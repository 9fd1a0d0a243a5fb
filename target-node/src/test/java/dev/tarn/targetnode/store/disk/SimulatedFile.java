package dev.tarn.targetnode.store.disk;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A file of a {@link SimulatedDisk}. */
final class SimulatedFile implements DiskFile {
  private static final int SECTOR = 512;
  private static final int PAGE = 4096;

  private final SimulatedDisk disk;
  private final String path;
  private byte[] bytes = new byte[0];
  private byte[] durable = new byte[0];
  private volatile int length;
  private int durableLength;
  private final List<Write> pending = new ArrayList<>();

  /** The pages that take no room: left out by writes, or punched. */
  private final BitSet holes = new BitSet();

  private volatile int holeBytes;

  /** Some bytes, or with none of them a cut to the position. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Write(int position, byte[] bytes) {}

  SimulatedFile(SimulatedDisk disk, String path) {
    this.disk = disk;
    this.path = path;
  }

  SimulatedFile afterKill(SimulatedDisk next) {
    SimulatedFile file = new SimulatedFile(next, path);
    file.bytes = bytes.clone();
    file.length = length;
    file.holes.or(holes);
    file.holeBytes = holeBytes;
    file.durable = durable.clone();
    file.durableLength = durableLength;
    file.pending.addAll(pending);
    return file;
  }

  /** The number of bytes that take room, without a wait for the file. */
  int size() {
    return Math.max(0, length - holeBytes);
  }

  /** Pages have been written, or left out. */
  private void written(int from, int begin, int end) {
    int firstLeftOut = (from + PAGE - 1) / PAGE;
    if (begin / PAGE > firstLeftOut) {
      holes.set(firstLeftOut, begin / PAGE);
    }
    holes.clear(begin / PAGE, (end + PAGE - 1) / PAGE);
    holeBytes = holes.cardinality() * PAGE;
  }

  /** The path under which it was created. */
  String path() {
    return path;
  }

  SimulatedFile afterPowerCut(SimulatedDisk next, Random random, double kept) {
    List<Write> shuffled = new ArrayList<>(pending);
    Collections.shuffle(shuffled, random);
    for (Write write : shuffled) {
      if (random.nextDouble() < kept) {
        applyDurably(torn(write, random));
      }
    }
    SimulatedFile file = new SimulatedFile(next, path);
    file.bytes = Arrays.copyOf(durable, durableLength);
    file.length = durableLength;
    file.durable = file.bytes.clone();
    file.durableLength = durableLength;
    return file;
  }

  /** Perhaps only the beginning of a write, up to a sector's border. */
  private static Write torn(Write write, Random random) {
    if (write.bytes.length <= SECTOR || random.nextBoolean()) {
      return write;
    }
    int whole = random.nextInt(write.bytes.length / SECTOR) * SECTOR;
    return random.nextBoolean()
        ? new Write(write.position, Arrays.copyOf(write.bytes, Math.max(whole, 1)))
        : new Write(
            write.position + whole, Arrays.copyOfRange(write.bytes, whole, write.bytes.length));
  }

  private void applyDurably(Write write) {
    if (write.bytes.length == 0) {
      durableLength = Math.min(durableLength, write.position);
      return;
    }
    durable = put(durable, durableLength, write);
    durableLength = Math.max(durableLength, write.position + write.bytes.length);
  }

  private static byte[] put(byte[] into, int length, Write write) {
    int end = write.position + write.bytes.length;
    byte[] room = end <= into.length ? into : Arrays.copyOf(into, Math.max(end, into.length * 2));
    if (write.position > length) {
      Arrays.fill(room, length, write.position, (byte) 0);
    }
    System.arraycopy(write.bytes, 0, room, write.position, write.bytes.length);
    return room;
  }

  synchronized void flip(long position) {
    bytes[(int) position] ^= 1;
    if (position < durableLength) {
      durable[(int) position] ^= 1;
    }
  }

  @Override
  public synchronized void read(ByteBuffer destination, long position) throws IOException {
    disk.stepOfRead(path);
    if (position + destination.remaining() > length) {
      throw new EOFException(path + " ends at " + length);
    }
    destination.put(bytes, (int) position, destination.remaining());
  }

  @Override
  public boolean readNow(ByteBuffer destination, long position) throws IOException {
    read(destination, position);
    return true;
  }

  @Override
  public void write(ByteBuffer source, long position) throws IOException {
    disk.step(room((int) position, source.remaining()));
    byte[] written = new byte[source.remaining()];
    source.get(written);
    put(written, position);
    disk.failLate(path);
  }

  /** The room that a write takes: what it replaces has its room already. */
  private synchronized int room(int position, int count) {
    int end = position + count;
    int begin = Math.min(end, Math.max(position, length));
    BitSet filled = holes.get(position / PAGE, Math.max(position, begin) / PAGE);
    return end - begin + filled.cardinality() * PAGE;
  }

  private synchronized void put(byte[] written, long position) {
    Write write = new Write((int) position, written);
    if (written.length > 0) {
      bytes = put(bytes, length, write);
      written(length, write.position, write.position + written.length);
      length = Math.max(length, (int) position + written.length);
      pending.add(write);
    }
  }

  @Override
  public synchronized boolean punch(long position, long count) throws IOException {
    long end = Math.min(length, position + count);
    disk.step(0);
    if (position < end) {
      put(new byte[(int) (end - position)], position);
      boolean isEnd = end == length;
      holes.set((int) position / PAGE, (int) (isEnd ? end + PAGE - 1 : end) / PAGE);
      holeBytes = holes.cardinality() * PAGE;
    }
    return true;
  }

  @Override
  public void sync() throws IOException {
    disk.step(0);
    if (!disk.syncs("file")) {
      return;
    }
    synchronized (this) {
      if (disk.failsThisSync()) {
        pending.clear();
        throw new IOException("Input/output error");
      }
      pending.forEach(this::applyDurably);
      pending.clear();
    }
  }

  @Override
  public void truncate(long lengthBytes) throws IOException {
    disk.stepOfTruncate();
    synchronized (this) {
      length = (int) Math.min(length, lengthBytes);
      holes.clear((length + PAGE - 1) / PAGE, Integer.MAX_VALUE);
      holeBytes = holes.cardinality() * PAGE;
      pending.add(new Write((int) lengthBytes, new byte[0]));
    }
  }

  @Override
  public synchronized long length() {
    return length;
  }

  @Override
  public Optional<FileChannel> channel() {
    return Optional.empty();
  }

  @Override
  public void close() {
    disk.countOpen(-1);
  }
}
