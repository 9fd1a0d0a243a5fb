package dev.tarn.client.djl;

import static java.util.Objects.requireNonNull;

import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.training.dataset.Batch;
import ai.djl.training.dataset.Record;
import dev.tarn.client.Checkpoint;
import dev.tarn.client.SampleIterator;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** The batches of one pass. It takes from the samples what the next batch needs, and no more. */
final class BatchIterator implements Iterator<Batch>, AutoCloseable {
  private final ShardBatches batches;
  private final NDManager manager;
  private final SampleIterator samples;

  /** Read to know that it is full, and not given out yet. */
  private @Nullable Batch next;

  /** How far the samples had come before a batch that is not given out, if they are numbered. */
  private @Nullable Checkpoint before;

  private long given;

  BatchIterator(ShardBatches batches, NDManager manager, SampleIterator samples) {
    this.batches = batches;
    this.manager = manager;
    this.samples = samples;
  }

  @Override
  public boolean hasNext() {
    if (!batches.dropsLast()) {
      return samples.hasNext();
    }
    // Whether a batch is full is known when it has been read.
    if (next == null && samples.hasNext()) {
      next = read();
    }
    return next != null;
  }

  @Override
  public Batch next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the epoch has no more batches");
    }
    Batch batch = next == null ? requireNonNull(read(), "only a last batch is left out") : next;
    next = null;
    before = null;
    return batch;
  }

  Checkpoint checkpoint() {
    return before != null ? before : samples.checkpoint();
  }

  @Override
  public void close() {
    if (next != null) {
      next.close();
      next = null;
    }
    samples.close();
  }

  /** The next batch; null if it is not full and is to be left out. */
  private @Nullable Batch read() {
    if (before == null && batches.batchCount().isPresent()) {
      before = samples.checkpoint();
    }
    NDManager arrays = manager.newSubManager();
    boolean done = false;
    try {
      List<Record> records = new ArrayList<>(batches.batchSize());
      while (records.size() < batches.batchSize() && samples.hasNext()) {
        records.add(batches.converter().convert(arrays, samples.next()));
      }
      if (batches.dropsLast() && records.size() < batches.batchSize()) {
        return null;
      }
      Batch batch = batch(arrays, records);
      done = true;
      return batch;
    } finally {
      if (!done) {
        arrays.close();
      }
    }
  }

  private Batch batch(NDManager arrays, List<Record> records) {
    NDList[] data = records.stream().map(Record::getData).toArray(NDList[]::new);
    NDList[] labels = records.stream().map(Record::getLabels).toArray(NDList[]::new);
    NDList batchedData = batches.dataBatchifier().batchify(data);
    NDList batchedLabels = batches.labelBatchifier().batchify(labels);
    for (int i = 0; i < data.length; i++) {
      data[i].close();
      labels[i].close();
    }
    long progress = given++;
    return new Batch(
        arrays,
        batchedData,
        batchedLabels,
        records.size(),
        batches.dataBatchifier(),
        batches.labelBatchifier(),
        progress,
        Math.max(given, batches.batchCount().orElse(0)));
  }
}
