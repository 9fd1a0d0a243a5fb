package dev.tarn.standalone.demo;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.sample.SampleName;
import dev.tarn.standalone.demo.EpochDigest.Delivered;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The files as one object each, written and read with the SDK's storage client, which also reads
 * the shards.
 */
record SmallObjects(Storage storage, StorageUrl folder, List<DemoFile> files) {
  private static final int UPLOADS_IN_FLIGHT = 32;

  SmallObjects {
    requireNonNull(storage, "storage is null");
    requireNonNull(folder, "folder is null");
    files = List.copyOf(files);
  }

  /** Uploads all files. The result describes the files' bytes. */
  Epoch upload() throws IOException {
    return timed(
        files,
        UPLOADS_IN_FLIGHT,
        file -> {
          ByteBuffer content = ByteBuffer.wrap(Files.readAllBytes(file.path()));
          storage.write(folder.resolve(file.name()), content.duplicate());
          return content;
        });
  }

  /** Reads some of the objects in random order. */
  Epoch readSome(int count, int inFlight, long seed) throws IOException {
    List<DemoFile> shuffled = shuffled(seed);
    return read(shuffled.subList(0, Math.min(count, shuffled.size())), inFlight);
  }

  /** Reads all the objects in random order. */
  Epoch readAll(int inFlight, long seed) throws IOException {
    return read(shuffled(seed), inFlight);
  }

  private Epoch read(List<DemoFile> order, int inFlight) throws IOException {
    return timed(
        order,
        inFlight,
        file ->
            ByteBuffer.wrap(
                storage.readAll(folder.resolve(file.name()), DemoFiles.FILE_BYTES_MAX)));
  }

  private List<DemoFile> shuffled(long seed) {
    List<DemoFile> shuffled = new ArrayList<>(files);
    Collections.shuffle(shuffled, new Random(seed));
    return shuffled;
  }

  @FunctionalInterface
  private interface Transfer {
    ByteBuffer of(DemoFile file) throws IOException;
  }

  private static Epoch timed(List<DemoFile> order, int inFlight, Transfer transfer)
      throws IOException {
    EpochDigest digest = new EpochDigest();
    long start = System.nanoTime();
    InFlight.forEach(
        order,
        inFlight,
        file -> {
          ByteBuffer content = transfer.of(file);
          SampleName name = requireNonNull(SampleName.parse(file.name()), "file is no sample's");
          digest.add(name.key(), name.extension(), content);
        });
    Delivered delivered = digest.delivered();
    return new Epoch(delivered, delivered.files(), Duration.ofNanos(System.nanoTime() - start));
  }
}
