package dev.tarn.sharder.plan;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.ObjectWriter;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.sort.ExternalSort;
import dev.tarn.sharder.sort.SortSpace;
import dev.tarn.sharder.source.Source;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Makes the plan from what sources list: files into samples, samples into order, order into shards.
 * It depends on the files and the options and on nothing else, not even on the order in which an
 * unordered source lists. The files are never all in memory: they are sorted outside of it.
 */
public final class Planner {
  private final PlanOptions options;
  private final String encoder;
  private final SortSpace space;

  /**
   * @param encoder the name and version of the encoder that will write the shards
   */
  public Planner(PlanOptions options, String encoder, SortSpace space) {
    this.options = requireNonNull(options, "options is null");
    this.encoder = requireNonNull(encoder, "encoder is null");
    this.space = requireNonNull(space, "space is null");
  }

  /**
   * Makes a plan that is gone when it is closed.
   *
   * @param destination the dataset's folder, as the plan names it
   * @throws PlanException if there is no sample, a sample has an extension twice, or one is larger
   *     than a shard may be
   */
  public Plan plan(List<? extends Source> sources, String destination) throws IOException {
    Path file = Files.createTempFile(space.folder(), "tarn-plan-", ".tmp");
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    boolean done = false;
    try {
      Files.delete(file);
      write(sources, destination, channel);
      Plan plan = Plan.open(new PlanBytes.Temporary(channel, channel.size()));
      done = true;
      return plan;
    } finally {
      if (!done) {
        channel.close();
      }
    }
  }

  /**
   * Makes a plan and stores it.
   *
   * @param url of the plan's file
   * @throws PlanException as {@link #plan} does
   */
  public Plan write(
      List<? extends Source> sources, String destination, Storage storage, StorageUrl url)
      throws IOException {
    try (ObjectWriter writer = storage.create(url)) {
      write(sources, destination, writer);
      writer.commit();
    }
    return Plan.open(storage, url);
  }

  private void write(List<? extends Source> sources, String destination, WritableByteChannel target)
      throws IOException {
    try (ExternalSort sort = new ExternalSort(space)) {
      MemberListing listing = new MemberListing(options, sort);
      listing.list(sources);
      SampleAssembly samples = new SampleAssembly(sort.sorted(), SampleRecord.keyStart(options));
      PlanWriter writer = new PlanWriter(target);
      ShardCutter cutter = new ShardCutter(options, writer);
      for (SampleDraft sample; (sample = samples.next()) != null; ) {
        cutter.add(sample);
      }
      cutter.finish();
      requireSamples(cutter, listing.outside());
      writer.finish(
          new PlanHeader(
              encoder,
              destination,
              sources.stream().map(Source::url).toList(),
              options,
              listing.outside(),
              cutter.samples(),
              cutter.members(),
              cutter.fileBytes(),
              cutter.largestSample()));
    }
  }

  private static void requireSamples(ShardCutter cutter, Outside outside) throws PlanException {
    if (cutter.samples() == 0) {
      throw new PlanException(
          outside.count() == 0
              ? "there are no files to pack"
              : "none of the "
                  + outside.count()
                  + " files belongs to a sample: their names need a key, a dot and an extension,"
                  + " such as dir/000001.jpg; the first is "
                  + MemberNames.printable(outside.first().getFirst()));
    }
  }
}
