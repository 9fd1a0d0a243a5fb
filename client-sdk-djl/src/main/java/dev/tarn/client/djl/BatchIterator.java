package dev.tarn.client.djl;

import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.training.dataset.Batch;
import ai.djl.training.dataset.Record;
import dev.tarn.client.Checkpoint;
import dev.tarn.client.Damage;
import dev.tarn.client.Loader;
import dev.tarn.client.ResumableIterator;
import dev.tarn.client.Sample;
import dev.tarn.client.loader.MapOrder;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;

/** The batches of one pass, which other threads make ahead of the consumer. */
final class BatchIterator implements Iterator<Batch>, AutoCloseable {
  private final ShardBatches settings;
  private final BatchManagers managers;
  private final ResumableIterator<Batch> batches;

  /** How many batches were made; accessed by the thread that makes them. */
  private long made;

  /**
   * Begins a pass.
   *
   * @param manager parent of the batches' managers
   * @param begin begins or resumes the epoch
   */
  BatchIterator(
      ShardBatches settings,
      NDManager manager,
      Loader<Sample> samples,
      Function<Loader<Batch>, ResumableIterator<Batch>> begin) {
    this.settings = settings;
    this.managers = new BatchManagers(manager);
    Loader<Batch> loader =
        samples
            .map(settings.threads(), MapOrder.ORDERED, this::convert)
            .batch(settings.batchSize(), settings.last(), this::batch);
    this.batches =
        begin.apply(settings.prefetch() > 0 ? loader.prefetch(settings.prefetch()) : loader);
  }

  /**
   * The arrays of one sample.
   *
   * @param manager which owns them until their batch is made
   */
  private record Converted(NDManager manager, Record arrays) {}

  private Converted convert(Sample sample) throws Exception {
    NDManager manager = managers.create();
    boolean done = false;
    try {
      Converted converted = new Converted(manager, settings.converter().convert(manager, sample));
      done = true;
      return converted;
    } finally {
      if (!done) {
        managers.close(manager);
      }
    }
  }

  private Batch batch(List<Converted> samples) {
    NDList[] data =
        samples.stream().map(sample -> sample.arrays().getData()).toArray(NDList[]::new);
    NDList[] labels =
        samples.stream().map(sample -> sample.arrays().getLabels()).toArray(NDList[]::new);
    NDManager manager = managers.create();
    NDList batchedData = settings.dataBatchifier().batchify(data);
    batchedData.attach(manager);
    NDList batchedLabels = settings.labelBatchifier().batchify(labels);
    batchedLabels.attach(manager);
    samples.forEach(sample -> managers.close(sample.manager()));
    long progress = made++;
    return new Batch(
        manager,
        batchedData,
        batchedLabels,
        samples.size(),
        settings.dataBatchifier(),
        settings.labelBatchifier(),
        progress,
        Math.max(made, settings.batchCount().orElse(0)));
  }

  @Override
  public boolean hasNext() {
    boolean hasMore = false;
    try {
      hasMore = batches.hasNext();
      return hasMore;
    } finally {
      if (!hasMore) {
        managers.close();
      }
    }
  }

  @Override
  public Batch next() {
    Batch batch = batches.next();
    managers.handOver(batch.getManager());
    return batch;
  }

  Checkpoint checkpoint() {
    return batches.checkpoint();
  }

  /** The samples skipped so far. */
  List<Damage> damages() {
    return batches.damages();
  }

  @Override
  public void close() {
    batches.close();
    managers.close();
  }
}
