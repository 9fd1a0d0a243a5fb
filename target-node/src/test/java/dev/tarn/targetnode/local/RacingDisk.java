package dev.tarn.targetnode.local;

import dev.tarn.targetnode.store.disk.Disk;
import dev.tarn.targetnode.store.disk.DiskFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A disk on which something happens just before or just after a file is opened, or before it is
 * asked for its room.
 */
public final class RacingDisk implements Disk {
  private static final Race NONE = new Race("", () -> {}, () -> {});

  private final Disk disk;
  private volatile Runnable beforeMeasuring = () -> {};
  private final AtomicReference<Race> race = new AtomicReference<>(NONE);

  /** What happens around the next opening of a file with this prefix. */
  private record Race(String prefix, Runnable before, Runnable after) {}

  public RacingDisk(Disk disk) {
    this.disk = disk;
  }

  /** Runs this once, before the next file with this prefix is opened. */
  public void beforeOpening(String prefix, Runnable step) {
    race.set(new Race(prefix, step, () -> {}));
  }

  /** Runs this once, after the next file with this prefix has been opened. */
  public void afterOpening(String prefix, Runnable step) {
    race.set(new Race(prefix, () -> {}, step));
  }

  /** Runs this each time before the disk says how much is free. */
  public void beforeMeasuring(Runnable step) {
    beforeMeasuring = step;
  }

  @Override
  public DiskFile open(String path) throws IOException {
    Race set = race.get();
    if (!path.startsWith(set.prefix) || !race.compareAndSet(set, NONE)) {
      return disk.open(path);
    }
    set.before.run();
    DiskFile file = disk.open(path);
    set.after.run();
    return file;
  }

  @Override
  public String description() {
    return disk.description();
  }

  @Override
  public String boot() {
    return disk.boot();
  }

  @Override
  public Path indexDirectory() {
    return disk.indexDirectory();
  }

  @Override
  public Closeable lock() throws IOException {
    return disk.lock();
  }

  @Override
  public void createDirectory(String path) throws IOException {
    disk.createDirectory(path);
  }

  @Override
  public List<String> list(String directory) throws IOException {
    return disk.list(directory);
  }

  @Override
  public DiskFile create(String path) throws IOException {
    return disk.create(path);
  }

  @Override
  public boolean exists(String path) throws IOException {
    return disk.exists(path);
  }

  @Override
  public void delete(String path) throws IOException {
    disk.delete(path);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    disk.rename(from, to);
  }

  @Override
  public void syncDirectory(String directory) throws IOException {
    disk.syncDirectory(directory);
  }

  @Override
  public long usableBytes() throws IOException {
    beforeMeasuring.run();
    return disk.usableBytes();
  }

  @Override
  public long totalBytes() throws IOException {
    return disk.totalBytes();
  }
}
