package dev.tarn.targetnode.store.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A disk in memory that keeps apart what is on the device and what is only in the system's memory.
 *
 * <p>Every write and every change of a name stays pending until it is synced. A loss of power lets
 * each pending one through or not, on its own, and tears writes at the borders of sectors; so the
 * next life sees them dropped, reordered and half done. Faults can be set: errors, a full disk, a
 * read-only one.
 */
public final class SimulatedDisk implements Disk {
  private final Path indexDirectory;
  private final Map<String, SimulatedFile> names = new HashMap<>();
  private final Set<String> directories = new HashSet<>(Set.of(""));
  private final Map<String, SimulatedFile> durableNames = new HashMap<>();
  private final Set<String> durableDirectories = new HashSet<>(Set.of(""));
  private final List<NameChange> pending = new ArrayList<>();
  private long stepsLeft = Long.MAX_VALUE;
  private String cuttingSuffix = "";
  private long stepsAfterCutting;
  private long bytesLeft = Long.MAX_VALUE;
  private long capacity = Long.MAX_VALUE;
  private String undeletablePrefix = "";
  private String fault = "";
  private boolean faultOnReads;
  private String unreadablePrefix = "";
  private String lateFault = "";
  private String lateFaultPrefix = "";
  private String ignoredSync = "";
  private boolean failNextFileSync;
  private String truncateFault = "";
  private int boot = 1;
  private int openFiles;
  private int openFilesMost;
  private boolean defective;
  private final Set<String> syncs = new TreeSet<>();

  /** A change of names in one directory; a null file removes. */
  private record NameChange(
      String directory,
      Map<String, SimulatedFile> added,
      Set<String> removed,
      boolean isDirectory) {}

  public SimulatedDisk(Path indexDirectory) {
    this.indexDirectory = indexDirectory;
  }

  /** The power fails after so many more changes: from then on everything fails. */
  public synchronized void cutPowerAfter(long steps) {
    stepsLeft = steps;
  }

  /**
   * The power fails soon after a file whose name ends in this is created.
   *
   * @param steps the changes that are still made after that one
   */
  public synchronized void cutPowerAfterCreating(String suffix, long steps) {
    cuttingSuffix = suffix;
    stepsAfterCutting = steps;
  }

  /** Whether the power has failed. */
  public synchronized boolean isDead() {
    return stepsLeft <= 0;
  }

  /** All changes fail with this message until it is set to the empty one. */
  public synchronized void failWith(String message, boolean readsToo) {
    fault = message;
    faultOnReads = readsToo;
  }

  /** Reads of files of this prefix fail as those of a bad device do, until it is the empty one. */
  public synchronized void failReadsOf(String prefix) {
    unreadablePrefix = prefix;
  }

  synchronized void stepOfRead(String path) throws IOException {
    stepOfRead();
    if (!unreadablePrefix.isEmpty() && path.startsWith(unreadablePrefix)) {
      throw new IOException("Input/output error");
    }
  }

  /**
   * Does nothing for the syncs of one place in the code, as if they were not there.
   *
   * @param place as in {@link #syncs}
   */
  public synchronized void ignoreSync(String place) {
    ignoredSync = place;
  }

  /** From where syncs have come: the kind, the method and its caller. */
  public synchronized Set<String> syncs() {
    return Set.copyOf(syncs);
  }

  /** The next sync of a file fails, and what it covered never reaches the device. */
  public synchronized void failNextFileSync() {
    failNextFileSync = true;
  }

  synchronized boolean failsThisSync() {
    boolean fails = failNextFileSync;
    failNextFileSync = false;
    return fails;
  }

  /** Whether a sync is to be carried out. */
  synchronized boolean syncs(String kind) {
    String place =
        StackWalker.getInstance()
            .walk(frames ->
                frames
                    .filter(frame -> !frame.getClassName().contains(".store.disk."))
                    .limit(2)
                    .map(frame -> simpleName(frame) + "." + frame.getMethodName())
                    .collect(Collectors.joining(" < ", kind + " ", "")));
    syncs.add(place);
    return !place.equals(ignoredSync);
  }

  private static String simpleName(StackWalker.StackFrame frame) {
    return frame.getClassName().substring(frame.getClassName().lastIndexOf('.') + 1);
  }

  /** How many files are open: opened or made, and not closed since. */
  public synchronized int openFiles() {
    return openFiles;
  }

  /** How many files were open at once since this was last asked. */
  public synchronized int openFilesMost() {
    int most = openFilesMost;
    openFilesMost = openFiles;
    return most;
  }

  synchronized void countOpen(int change) {
    openFiles += change;
    openFilesMost = Math.max(openFilesMost, openFiles);
  }

  /** Every change throws what no caller foresees, or no more. */
  public synchronized void setDefective(boolean throwing) {
    defective = throwing;
  }

  /** So many bytes can still be written. */
  public synchronized void setRoom(long bytes) {
    bytesLeft = bytes;
  }

  /** The files have room for so many bytes together; what is deleted gives its room back. */
  public synchronized void setCapacity(long bytes) {
    capacity = bytes;
  }

  /** Deletions of files of this prefix fail as on a bad device, until it is the empty one. */
  public synchronized void failDeletionsOf(String prefix) {
    undeletablePrefix = prefix;
  }

  /** The disk as the next life finds it: what was synced, and some of what was not. */
  public synchronized SimulatedDisk afterPowerCut(Random random) {
    double kept = random.nextInt(3) / 2.0;
    SimulatedDisk next = successor();
    next.boot = boot + 1;
    for (NameChange change : pending) {
      if (random.nextDouble() < kept) {
        change(change, durableNames, durableDirectories);
      }
    }
    durableDirectories.removeIf(directory -> !isReachable(directory));
    durableNames.keySet().removeIf(name -> !durableDirectories.contains(parent(name)));
    next.directories.addAll(durableDirectories);
    next.durableDirectories.addAll(durableDirectories);
    durableNames.forEach((name, file) -> {
      SimulatedFile survivor = file.afterPowerCut(next, random, kept);
      next.names.put(name, survivor);
      next.durableNames.put(name, survivor);
    });
    return next;
  }

  /** Whether the directory and all those above it are on the device: a lost one loses its files. */
  private boolean isReachable(String directory) {
    return directory.isEmpty()
        || (durableDirectories.contains(directory) && isReachable(parent(directory)));
  }

  private SimulatedDisk successor() {
    SimulatedDisk next = new SimulatedDisk(indexDirectory);
    next.boot = boot;
    next.capacity = capacity;
    next.ignoredSync = ignoredSync;
    next.syncs.addAll(syncs);
    return next;
  }

  /** The disk as a new process finds it after the old one was killed: nothing is lost yet. */
  public synchronized SimulatedDisk afterKill() {
    SimulatedDisk next = successor();
    Map<SimulatedFile, SimulatedFile> moved = new HashMap<>();
    names.forEach((name, file) -> next.names.put(name, move(file, next, moved)));
    durableNames.forEach((name, file) -> next.durableNames.put(name, move(file, next, moved)));
    next.directories.addAll(directories);
    next.durableDirectories.addAll(durableDirectories);
    for (NameChange change : pending) {
      Map<String, SimulatedFile> added = new HashMap<>();
      change.added.forEach((name, file) -> added.put(name, move(file, next, moved)));
      next.pending.add(new NameChange(change.directory, added, change.removed, change.isDirectory));
    }
    return next;
  }

  private static SimulatedFile move(
      SimulatedFile file, SimulatedDisk to, Map<SimulatedFile, SimulatedFile> moved) {
    return moved.computeIfAbsent(file, old -> old.afterKill(to));
  }

  /** Counts a change, and fails if it must. */
  synchronized void step(long bytes) throws IOException {
    checkPower();
    if (defective) {
      throw new IllegalStateException("a defect of a test");
    }
    if (!fault.isEmpty()) {
      throw new IOException(fault);
    }
    // A loss of power may bring deleted files back, and so more bytes than there is room for.
    if (bytes > bytesLeft || (bytes > 0 && bytes > capacity - usedBytes())) {
      throw new IOException("No space left on device");
    }
    bytesLeft -= bytes;
    stepsLeft--;
    checkPower();
  }

  synchronized void stepOfRead() throws IOException {
    checkPower();
    if (faultOnReads) {
      throw new IOException(fault);
    }
  }

  private void checkPower() throws IOException {
    if (stepsLeft <= 0) {
      throw new IOException("the power is off");
    }
  }

  /** The next write to a file of this prefix is done, and fails with this message all the same. */
  public synchronized void failNextWriteLate(String prefix, String message) {
    lateFaultPrefix = prefix;
    lateFault = message;
  }

  synchronized void failLate(String path) throws IOException {
    String message = lateFault;
    if (!message.isEmpty() && path.startsWith(lateFaultPrefix)) {
      lateFault = "";
      throw new IOException(message);
    }
  }

  /** Truncating a file fails with this message until it is set to the empty one. */
  public synchronized void failTruncates(String message) {
    truncateFault = message;
  }

  synchronized void stepOfTruncate() throws IOException {
    step(0);
    if (!truncateFault.isEmpty()) {
      throw new IOException(truncateFault);
    }
  }

  /** Flips a bit of a file, on the device and in memory. */
  public synchronized void corrupt(String path, long position) {
    SimulatedFile file = names.get(path);
    if (file == null) {
      throw new IllegalArgumentException("no file " + path);
    }
    file.flip(position);
  }

  /** The path under which a file was created: {@link #failReadsOf} knows it by this one. */
  public synchronized String createdAs(String path) {
    SimulatedFile file = names.get(path);
    if (file == null) {
      throw new IllegalArgumentException("no file " + path);
    }
    return file.path();
  }

  /** The paths of all files that begin with this. */
  public synchronized List<String> files(String prefix) {
    return names.keySet().stream().filter(name -> name.startsWith(prefix)).sorted().toList();
  }

  /** The bytes of all files. */
  public synchronized long usedBytes() {
    return names.values().stream().mapToLong(SimulatedFile::size).sum();
  }

  /** The bytes that a file takes. */
  public synchronized long usedBytes(String path) {
    SimulatedFile file = names.get(path);
    return file == null ? 0 : file.size();
  }

  @Override
  public String description() {
    return "simulated";
  }

  @Override
  public String boot() {
    return "boot " + boot;
  }

  @Override
  public Path indexDirectory() {
    return indexDirectory;
  }

  @Override
  public Closeable lock() {
    return () -> {};
  }

  @Override
  public synchronized void createDirectory(String path) throws IOException {
    if (!directories.contains(path)) {
      step(0);
      directories.add(path);
      pending.add(new NameChange(parent(path), Map.of(), Set.of(path), true));
    }
  }

  @Override
  public synchronized List<String> list(String directory) throws IOException {
    stepOfRead();
    if (!directories.contains(directory)) {
      throw new NoSuchFileException(directory);
    }
    return names.keySet().stream()
        .filter(name -> parent(name).equals(directory))
        .map(name -> name.substring(name.lastIndexOf('/') + 1))
        .toList();
  }

  @Override
  public synchronized DiskFile create(String path) throws IOException {
    step(0);
    if (names.containsKey(path)) {
      throw new FileAlreadyExistsException(path);
    }
    if (!directories.contains(parent(path))) {
      throw new NoSuchFileException(path);
    }
    SimulatedFile file = new SimulatedFile(this, path);
    apply(new NameChange(parent(path), Map.of(path, file), Set.of(), false));
    if (!cuttingSuffix.isEmpty() && path.endsWith(cuttingSuffix)) {
      stepsLeft = 1 + stepsAfterCutting;
    }
    countOpen(1);
    return file;
  }

  @Override
  public synchronized DiskFile open(String path) throws IOException {
    stepOfRead();
    SimulatedFile file = names.get(path);
    if (file == null) {
      throw new NoSuchFileException(path);
    }
    countOpen(1);
    return file;
  }

  @Override
  public synchronized boolean exists(String path) throws IOException {
    stepOfRead();
    return names.containsKey(path) || directories.contains(path);
  }

  @Override
  public synchronized void delete(String path) throws IOException {
    step(0);
    if (!undeletablePrefix.isEmpty() && path.startsWith(undeletablePrefix)) {
      throw new IOException("Input/output error");
    }
    if (names.containsKey(path)) {
      apply(new NameChange(parent(path), Map.of(), Set.of(path), false));
    }
  }

  @Override
  public synchronized void rename(String from, String to) throws IOException {
    step(0);
    SimulatedFile file = names.get(from);
    if (file == null) {
      throw new NoSuchFileException(from);
    }
    apply(new NameChange(parent(from), Map.of(to, file), Set.of(from), false));
  }

  private void apply(NameChange change) {
    change(change, names, directories);
    pending.add(change);
  }

  private static void change(
      NameChange change, Map<String, SimulatedFile> names, Set<String> directories) {
    if (change.isDirectory) {
      directories.addAll(change.removed);
      return;
    }
    names.keySet().removeAll(change.removed);
    names.putAll(change.added);
  }

  @Override
  public synchronized void syncDirectory(String directory) throws IOException {
    step(0);
    if (!syncs("directory")) {
      return;
    }
    Iterator<NameChange> changes = pending.iterator();
    while (changes.hasNext()) {
      NameChange change = changes.next();
      if (change.directory.equals(directory)) {
        change(change, durableNames, durableDirectories);
        changes.remove();
      }
    }
  }

  @Override
  public synchronized long usableBytes() throws IOException {
    stepOfRead();
    return Math.min(bytesLeft, capacity - usedBytes());
  }

  @Override
  public synchronized long totalBytes() {
    return capacity;
  }

  private static String parent(String path) {
    int slash = path.lastIndexOf('/');
    return slash < 0 ? "" : path.substring(0, slash);
  }
}
