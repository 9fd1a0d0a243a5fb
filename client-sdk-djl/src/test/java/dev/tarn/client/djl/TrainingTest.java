package dev.tarn.client.djl;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Model;
import ai.djl.engine.Engine;
import ai.djl.metric.Metrics;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import ai.djl.training.dataset.Batch;
import ai.djl.training.evaluator.Accuracy;
import ai.djl.training.listener.EvaluatorTrainingListener;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import ai.djl.translate.TranslateException;
import dev.tarn.client.ShardDataset;
import dev.tarn.client.Shuffle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(value = OS.LINUX, architectures = "amd64", disabledReason = "the natives of the build")
class TrainingTest {
  private static final int TRAINING = 4_000;
  private static final int HELD_OUT = 1_000;
  private static final int EPOCHS = 6;

  @TempDir private Path temporary;

  private static SequentialBlock perceptron() {
    return new SequentialBlock()
        .add(Linear.builder().setUnits(128).build())
        .add(Activation::relu)
        .add(Linear.builder().setUnits(64).build())
        .add(Activation::relu)
        .add(Linear.builder().setUnits(Figures.CLASSES).build());
  }

  /** Trains an epoch and tries the held-out samples; returns the mean loss. */
  private static float train(Trainer trainer, ShardBatches batches, ShardBatches heldOut)
      throws IOException, TranslateException {
    for (Batch batch : trainer.iterateDataset(batches)) {
      EasyTrain.trainBatch(trainer, batch);
      trainer.step();
      batch.close();
    }
    EasyTrain.evaluateDataset(trainer, heldOut);
    trainer.notifyListeners(listener -> listener.onEpoch(trainer));
    return trainer.getTrainingResult().getTrainLoss();
  }

  @Test
  void modelLearnsToTellFiguresItHasNotSeen() throws IOException, TranslateException {
    Figures.write(temporary.resolve("train"), TRAINING, 1);
    Figures.write(temporary.resolve("test"), HELD_OUT, 2);
    Engine.getInstance().setRandomSeed(7);
    DefaultTrainingConfig config =
        new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
            .optOptimizer(Optimizer.adam().optLearningRateTracker(Tracker.fixed(0.002f)).build())
            .addTrainingListeners(new EvaluatorTrainingListener())
            .addEvaluator(new Accuracy());
    try (ShardDataset train =
            ShardDataset.builder()
                .manifest(temporary + "/train")
                .shuffle(Shuffle.FULL)
                .seed(7)
                .build();
        ShardDataset test = ShardDataset.builder().manifest(temporary + "/test").build();
        ShardBatches training =
            ShardBatches.builder(train, Figures.CONVERTER).batchSize(64).dropLast().build();
        ShardBatches heldOut =
            ShardBatches.builder(test, Figures.CONVERTER).batchSize(100).build();
        Model model = Model.newInstance("figures", "PyTorch")) {
      model.setBlock(perceptron());
      try (Trainer trainer = model.newTrainer(config)) {
        trainer.setMetrics(new Metrics());
        trainer.initialize(new Shape(64, Figures.SIDE * Figures.SIDE));
        List<Float> losses = new ArrayList<>();
        for (int epoch = 0; epoch < EPOCHS; epoch++) {
          losses.add(train(trainer, training, heldOut));
        }
        assertThat(losses.get(EPOCHS - 1)).as("losses %s", losses).isLessThan(losses.get(0) / 4);
        assertThat(trainer.getTrainingResult().getValidateEvaluation("Accuracy"))
            .isGreaterThan(0.9f);
      }
    }
  }
}
