package dev.tarn.examples;

import ai.djl.Model;
import ai.djl.metric.Metrics;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import ai.djl.training.dataset.Batch;
import ai.djl.training.dataset.Record;
import ai.djl.training.evaluator.Accuracy;
import ai.djl.training.listener.EvaluatorTrainingListener;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import ai.djl.translate.TranslateException;
import dev.tarn.client.ShardDataset;
import dev.tarn.client.Shuffle;
import dev.tarn.client.djl.SampleConverter;
import dev.tarn.client.djl.ShardBatches;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Trains a perceptron to tell small grey images of four classes (members {@code png} and {@code
 * cls}) and tries it on others: {@code TrainWithDjl s3://data/train s3://data/test}.
 */
public final class TrainWithDjl {
  private static final int EPOCHS = 6;
  private static final int BATCH = 64;
  private static final int SIDE = 16;
  private static final int CLASSES = 4;

  /** What the model takes: brightness from 0 to 1; what it should answer: the class. */
  private static final SampleConverter CONVERTER =
      (manager, sample) -> {
        BufferedImage image = sample.decode("png", BufferedImage.class);
        float[] grey = new float[SIDE * SIDE];
        for (int at = 0; at < grey.length; at++) {
          grey[at] = (image.getRGB(at % SIDE, at / SIDE) & 0xff) / 255f;
        }
        return new Record(
            new NDList(manager.create(grey)),
            new NDList(manager.create(sample.decode("cls", float.class))));
      };

  private TrainWithDjl() {}

  /**
   * How an epoch went.
   *
   * @param loss mean, of the training samples
   * @param accuracy of the others, from 0 to 1
   */
  public record Epoch(float loss, float accuracy) {}

  public static void main(String[] args) throws IOException, TranslateException {
    for (Epoch epoch : train(args[0], args[1])) {
      System.out.println(epoch);
    }
  }

  /** Trains with one dataset and tries another after each epoch. */
  public static List<Epoch> train(String trainUrl, String testUrl)
      throws IOException, TranslateException {
    DefaultTrainingConfig config =
        new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
            .optOptimizer(Optimizer.adam().optLearningRateTracker(Tracker.fixed(0.002f)).build())
            .addTrainingListeners(new EvaluatorTrainingListener())
            .addEvaluator(new Accuracy());
    List<Epoch> epochs = new ArrayList<>();
    try (ShardDataset train =
            ShardDataset.builder().manifest(trainUrl).shuffle(Shuffle.FULL).seed(7).build();
        ShardDataset test = ShardDataset.builder().manifest(testUrl).build();
        ShardBatches training =
            ShardBatches.builder(train, CONVERTER).batchSize(BATCH).dropLast().build();
        ShardBatches heldOut = ShardBatches.builder(test, CONVERTER).batchSize(BATCH).build();
        Model model = Model.newInstance("perceptron")) {
      model.setBlock(perceptron());
      try (Trainer trainer = model.newTrainer(config)) {
        trainer.setMetrics(new Metrics());
        trainer.initialize(new Shape(BATCH, SIDE * SIDE));
        for (int epoch = 0; epoch < EPOCHS; epoch++) {
          epochs.add(epoch(trainer, training, heldOut));
        }
      }
    }
    return epochs;
  }

  private static SequentialBlock perceptron() {
    return new SequentialBlock()
        .add(Linear.builder().setUnits(128).build())
        .add(Activation::relu)
        .add(Linear.builder().setUnits(64).build())
        .add(Activation::relu)
        .add(Linear.builder().setUnits(CLASSES).build());
  }

  private static Epoch epoch(Trainer trainer, ShardBatches training, ShardBatches heldOut)
      throws IOException, TranslateException {
    for (Batch batch : trainer.iterateDataset(training)) {
      EasyTrain.trainBatch(trainer, batch);
      trainer.step();
      batch.close();
    }
    EasyTrain.evaluateDataset(trainer, heldOut);
    trainer.notifyListeners(listener -> listener.onEpoch(trainer));
    return new Epoch(
        trainer.getTrainingResult().getTrainLoss(),
        trainer.getTrainingResult().getValidateEvaluation("Accuracy"));
  }
}
