package dev.tarn.targetnode;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.CacheBound;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.wire.TargetReport;
import dev.tarn.targetnode.backend.BackendLimits;
import dev.tarn.targetnode.backend.Backends;
import dev.tarn.targetnode.cache.BucketTraffic;
import dev.tarn.targetnode.cache.CacheMeters;
import dev.tarn.targetnode.cache.CachingTarget;
import dev.tarn.targetnode.local.LocalTarget;
import dev.tarn.targetnode.local.NodeDisk;
import dev.tarn.targetnode.local.NodeDisks;
import dev.tarn.targetnode.membership.CallJudge;
import dev.tarn.targetnode.membership.ClusterView;
import dev.tarn.targetnode.membership.SlotGate;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.disk.DiskFault;
import dev.tarn.targetnode.store.disk.DiskInUseException;
import dev.tarn.targetnode.store.disk.LocalDisk;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import dev.tarn.targetnode.store.index.BucketUsage;
import dev.tarn.targetnode.store.memory.Chunks;
import dev.tarn.targetnode.store.read.ObjectReader;
import dev.tarn.targetnode.store.residents.CacheShare;
import dev.tarn.targetnode.store.residents.Leaving;
import dev.tarn.targetnode.store.space.Reclaimer;
import dev.tarn.targetnode.store.write.BodyWriting;
import dev.tarn.targetnode.upkeep.Upkeep;
import dev.tarn.transport.body.DirectBuffers;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A target node: its disks, opened, and the target contract over them. */
public final class TargetNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TargetNode.class);

  private final TargetNodeConfig config;
  private final ThreadPoolExecutor workers;
  private final NodeDisks disks;
  private final ExecutorService cacheThreads = Executors.newVirtualThreadPerTaskExecutor();
  private final Backends backends;
  private final CacheMeters cacheMeters;
  private final List<DiskStatus> status;
  private final ClusterView view;
  private final NodeCalls target;
  private final SlotGate gate;
  private final List<Upkeep> upkeep = new ArrayList<>();

  private TargetNode(
      TargetNodeConfig config,
      List<NodeDisk> disks,
      ClusterView view,
      Backends backends,
      MeterRegistry registry) {
    this.config = config;
    this.disks = new NodeDisks(disks, view);
    this.workers = workers(config);
    BodyWriting writing = new BodyWriting(new Chunks(config.incomingChunksMax()), workers);
    ObjectReader reader = new ObjectReader(new DirectBuffers(config.outgoingBytesKept()), workers);
    this.backends = backends;
    this.view = view;
    this.cacheMeters = new CacheMeters(registry);
    this.status =
        disks.stream().map(disk -> new DiskStatus(disk, view::isCached, registry)).toList();
    CallJudge judge = new CallJudge(view);
    this.gate = judge.gate();
    LocalTarget local =
        new LocalTarget(
            judge, this.disks, reader, writing, config.workerThreads() + config.workerQueueMax());
    CachingTarget caching =
        new CachingTarget(
            judge,
            local.reads(),
            backends,
            this.disks,
            cacheMeters,
            reader.buffers(),
            Clock.systemUTC(),
            cacheThreads);
    this.target = new NodeCalls(judge, local, caching, registry);
    for (NodeDisk disk : disks) {
      if (disk instanceof NodeDisk.Opened opened) {
        Upkeep ofDisk =
            new Upkeep("tarn-upkeep-" + disk.id().value(), () -> workers.getActiveCount() > 0);
        upkeep.add(ofDisk);
        Reclaimer.start(
            ofDisk,
            opened.store(),
            Clock.systemUTC(),
            this::isDeleted,
            view::settingsVersion,
            bucket -> shareOf(bucket, disk.id()));
      }
    }
  }

  private boolean isDeleted(BucketId bucket) {
    return view.refusal().isEmpty() && view.isDeleted(bucket);
  }

  /** What a bucket may have of the cache of a disk: its bounds count for all disks together. */
  private CacheShare shareOf(BucketId id, DiskId disk) {
    Bucket bucket = view.bucket(id);
    if (bucket == null) {
      return CacheShare.ANY;
    }
    BucketSettings settings = bucket.settings();
    double share = view.shareOf(disk).orElse(1.0 / disks.all().size());
    CacheBound most = settings.cacheMax();
    return new CacheShare(
        (long) (settings.cacheMin().bytes() * share),
        most.isNone() ? Long.MAX_VALUE : (long) Math.ceil(most.bytes() * share),
        settings.cacheRules());
  }

  /**
   * Opens the node and recovers from a crash.
   *
   * @param mapEpoch the epoch of the newest cluster map
   * @param viewOfDisks the view of a target with these disks
   * @param registry gets the meters of the node
   * @throws IOException if nothing can be served: a newer format, an unknown disk that cannot be
   *     opened, or another set of disks than before
   */
  public static TargetNode open(
      TargetNodeConfig config,
      LongSupplier mapEpoch,
      Function<Set<DiskId>, ClusterView> viewOfDisks,
      MeterRegistry registry)
      throws IOException {
    List<NodeDisk> disks = openDisks(config, mapEpoch);
    Set<DiskId> ids = disks.stream().map(NodeDisk::id).collect(Collectors.toSet());
    return new TargetNode(
        config,
        disks,
        viewOfDisks.apply(ids),
        Backends.overS3(BackendLimits.DEFAULT, registry),
        registry);
  }

  /** Opens the node with a view that does not depend on its disks, and meters of its own. */
  public static TargetNode open(TargetNodeConfig config, ClusterView view) throws IOException {
    return open(config, view::mapEpoch, disks -> view, new SimpleMeterRegistry());
  }

  /** The same with these backends for cached buckets; the node closes them. */
  public static TargetNode open(TargetNodeConfig config, ClusterView view, Backends backends)
      throws IOException {
    return new TargetNode(
        config, openDisks(config, view::mapEpoch), view, backends, new SimpleMeterRegistry());
  }

  /**
   * The queue is unbounded because {@code Work} limits the steps: calls fail before they begin,
   * never half done.
   */
  private static ThreadPoolExecutor workers(TargetNodeConfig config) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            config.workerThreads(),
            config.workerThreads(),
            30,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().name("tarn-disk-", 0).daemon().factory());
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private static List<NodeDisk> openDisks(TargetNodeConfig config, LongSupplier mapEpoch)
      throws IOException {
    KnownDisks known = KnownDisks.load(config.dataDirectory());
    List<NodeDisk> opened = new ArrayList<>();
    boolean done = false;
    try {
      Map<Path, DiskId> found = new LinkedHashMap<>();
      for (Path directory : config.disks()) {
        Path path = directory.toAbsolutePath().normalize();
        NodeDisk disk = openDisk(config, known, path, mapEpoch);
        opened.add(disk);
        found.put(path, disk.id());
      }
      known.requireAll(found);
      known.remember(found);
      done = true;
      return opened;
    } finally {
      if (!done) {
        closeAll(opened);
      }
    }
  }

  private static NodeDisk openDisk(
      TargetNodeConfig config, KnownDisks known, Path path, LongSupplier mapEpoch)
      throws IOException {
    Optional<DiskId> expected = expected(config, known, path);
    try {
      if (expected.isEmpty()) {
        Files.createDirectories(path);
      }
      LocalDisk disk = new LocalDisk(path);
      Optional<DiskId> present = DiskStore.identify(disk);
      if (expected.isPresent() && !expected.equals(present)) {
        String reason =
            "disk "
                + path
                + " is "
                + present.map(DiskId::value).orElse("empty")
                + ", it must be "
                + expected.orElseThrow();
        LOG.error("{}; its keys are unavailable, mount the right disk and restart", reason);
        return new NodeDisk.Failed(expected.orElseThrow(), reason);
      }
      return new NodeDisk.Opened(DiskStore.open(disk, config.store(), Clock.systemUTC(), mapEpoch));
    } catch (IOException e) {
      return failed(path, expected, e);
    }
  }

  /**
   * The id that the disk in this directory must have: the one it had before, or that of a disk of
   * this node that was moved there. Empty for the first disks of a new node.
   */
  private static Optional<DiskId> expected(TargetNodeConfig config, KnownDisks known, Path path)
      throws IOException {
    Optional<DiskId> before = known.in(path);
    if (before.isPresent()) {
      return before;
    }
    if (Files.exists(path) && !Files.isDirectory(path)) {
      throw new IOException("disk " + path + " is a file, must be a folder");
    }
    if (known.isEmpty()) {
      return Optional.empty();
    }
    Optional<DiskId> moved =
        Files.isDirectory(path) ? DiskStore.identify(new LocalDisk(path)) : Optional.empty();
    if (moved.filter(known::has).isPresent()) {
      return moved;
    }
    throw new IOException(
        "disk "
            + path
            + " is new, and this node has others already: adding a disk needs a rebalance, which"
            + " Tarn cannot do yet. Leave it out; the node's disks are listed in "
            + config.dataDirectory());
  }

  private static NodeDisk failed(Path path, Optional<DiskId> expected, IOException e)
      throws IOException {
    boolean newer =
        e instanceof UnreadableFormatException unreadable
            && unreadable.reason() == UnreadableFormatException.Reason.OTHER_RELEASE;
    boolean inUse = e instanceof DiskInUseException;
    if (newer || inUse || expected.isEmpty()) {
      throw inUse || e instanceof UnreadableFormatException
          ? e
          : new IOException(
              "disk " + path + ": " + DiskFault.of(e).advice() + " (" + Failure.reasonOf(e) + ")",
              e);
    }
    String reason = "disk " + path + " could not be opened: " + e.getMessage();
    LOG.error("{}; its keys are unavailable, repair the disk and restart", reason, e);
    return new NodeDisk.Failed(expected.orElseThrow(), reason);
  }

  /** The calls of this process and others to the objects of this node. */
  public NodeCalls target() {
    return target;
  }

  /** The view of the cluster by which calls are judged. */
  public ClusterView view() {
    return view;
  }

  /** Closes slots that the node gives to other targets. */
  public SlotGate gate() {
    return gate;
  }

  /** The node's disks. */
  public NodeDisks disks() {
    return disks;
  }

  /**
   * Begins to verify all objects of a disk at the configured rate.
   *
   * @param stop see {@link Scrubber}
   */
  public Scrubber scrubber(NodeDisk.Opened disk, BooleanSupplier stop) throws IOException {
    return new Scrubber(disk.store(), config.scrubBytesPerSecond(), stop);
  }

  /** Measures the disks and reports on them. */
  public List<TargetReport.Disk> report() throws IOException {
    for (DiskStatus disk : status) {
      disk.measure();
    }
    return status.stream().map(DiskStatus::report).toList();
  }

  /** Measures the disks for meters, which otherwise show the last measurement. */
  public void measure() {
    try {
      report();
    } catch (IOException e) {
      LOG.warn("Reading the status of the disks failed; metrics show the last values", e);
    }
  }

  /** The usage of each bucket on the disks in service. */
  public Map<BucketId, BucketUsage> usage() throws IOException {
    Map<BucketId, BucketUsage> usage = new HashMap<>();
    for (NodeDisk disk : disks.all()) {
      if (disk instanceof NodeDisk.Opened opened && disk.refusal().isEmpty()) {
        DiskStore store = opened.store();
        Map<BucketId, Long> cachedBytes = store.residents().bytesOfBuckets();
        store
            .index()
            .usage()
            .forEach((bucket, held) -> {
              BucketUsage here =
                  view.isCached(bucket)
                      ? new BucketUsage(held.objects(), cachedBytes.getOrDefault(bucket, 0L))
                      : held;
              usage.merge(bucket, here, BucketUsage::plus);
            });
      }
    }
    return usage;
  }

  /** What is read of each cached bucket that is not deleted. */
  public Map<BucketId, BucketTraffic> traffic() {
    cacheMeters.forgetTraffic(this::isDeleted);
    return cacheMeters.traffic();
  }

  /** What has left the cache of each bucket since the start. */
  public Map<BucketId, TargetReport.Left> leftOfBuckets() {
    Map<BucketId, TargetReport.Left> all = new HashMap<>();
    for (DiskStore store : disks.storesInService()) {
      store
          .residents()
          .leftOfBuckets()
          .forEach((bucket, left) ->
              all.merge(
                  bucket,
                  new TargetReport.Left(
                      left.of(Leaving.FOR_ROOM),
                      left.of(Leaving.FOR_BETTER),
                      left.of(Leaving.FOR_SHARES),
                      left.of(Leaving.DROPPED),
                      left.unread()),
                  TargetReport.Left::plus));
    }
    return all;
  }

  /** The counts of the cache since the start. */
  public CacheMeters cacheMeters() {
    return cacheMeters;
  }

  /** Commits what waits, makes everything durable, and closes all files. */
  @Override
  public void close() throws IOException {
    upkeep.forEach(Upkeep::close);
    cacheThreads.shutdownNow();
    backends.close();
    workers.shutdown();
    try {
      if (!cacheThreads.awaitTermination(30, TimeUnit.SECONDS)) {
        LOG.warn("Reads from backends are still in progress after 30 s; closing without them");
      }
      if (!workers.awaitTermination(30, TimeUnit.SECONDS)) {
        LOG.warn(
            "Workers are still busy after 30 s; closing without them, their writes are not"
                + " acknowledged");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    closeAll(disks.all());
  }

  private static void closeAll(List<NodeDisk> opened) throws IOException {
    IOException failure = null;
    for (NodeDisk disk : opened) {
      if (disk instanceof NodeDisk.Opened open) {
        try {
          open.store().close();
        } catch (IOException e) {
          failure = e;
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
