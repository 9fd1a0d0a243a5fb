package dev.tarn.targetnode.local;

import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.NodeCalls;
import dev.tarn.targetnode.membership.CallJudge;
import dev.tarn.targetnode.membership.FixedView;
import dev.tarn.targetnode.store.CacheSettings;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.StoreSettings;
import dev.tarn.targetnode.store.disk.Disk;
import dev.tarn.targetnode.store.log.LogSettings;
import dev.tarn.targetnode.store.memory.Chunks;
import dev.tarn.targetnode.store.read.ObjectReader;
import dev.tarn.targetnode.store.write.BodyWriting;
import dev.tarn.transport.body.DirectBuffers;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/** A target over simulated disks. Objects of up to 4 KiB are in the log. */
final class SimulatedDisks implements AutoCloseable {
  private static final BucketId BUCKET = new BucketId(1);
  private static final StoreSettings SMALL =
      new StoreSettings(
          new LogSettings(64 << 10, 64 << 10, 8),
          4 << 10,
          8 << 20,
          8,
          1000,
          40,
          0,
          0.15,
          3,
          1000L * 3600,
          CacheSettings.DEFAULT);

  private final ExecutorService workers = Executors.newFixedThreadPool(4);
  private final List<DiskStore> stores = new ArrayList<>();
  private final NodeDisks disks;
  private final Calls calls;

  SimulatedDisks(Disk... opened) throws IOException {
    for (Disk disk : opened) {
      stores.add(DiskStore.open(disk, SMALL, Clock.systemUTC(), () -> 0));
    }
    CallJudge judge =
        new CallJudge(
            new FixedView(
                0,
                0,
                bucket -> FixedView.bucket(bucket, BucketSettings.PRIMARY, Versioning.OFF, 0)));
    disks =
        new NodeDisks(stores.stream().<NodeDisk>map(NodeDisk.Opened::new).toList(), judge.view());
    LocalTarget local =
        new LocalTarget(
            judge,
            disks,
            new ObjectReader(new DirectBuffers(1 << 20), workers),
            new BodyWriting(new Chunks(8), workers),
            1000);
    calls = new Calls(new NodeCalls(judge, local, local, new SimpleMeterRegistry()), BUCKET);
  }

  Calls calls() {
    return calls;
  }

  /** A key with this prefix, on the disk that was named at this place. */
  String keyOn(int disk, String prefix) {
    return IntStream.range(0, 1000)
        .mapToObj(i -> prefix + i)
        .filter(key -> isOn(stores.get(disk), key))
        .findFirst()
        .orElseThrow();
  }

  private boolean isOn(DiskStore store, String key) {
    return disks.storeOf(new ObjectName(BUCKET, ObjectKey.of(key)))
            instanceof Outcome.Success<DiskStore>(DiskStore found)
        && found == store;
  }

  @Override
  public void close() throws IOException {
    workers.close();
    for (DiskStore store : stores) {
      store.close();
    }
  }
}
