package dev.tarn.client.djl;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.engine.Engine;
import ai.djl.translate.TranslateException;
import dev.tarn.examples.TrainWithDjl;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(value = OS.LINUX, architectures = "amd64", disabledReason = "the natives of the build")
class TrainingTest {
  private static final int TRAINING = 4_000;
  private static final int HELD_OUT = 1_000;

  @TempDir private Path temporary;

  @Test
  void modelLearnsToTellFiguresItHasNotSeen() throws IOException, TranslateException {
    Path train = temporary.resolve("train");
    Path test = temporary.resolve("test");
    Figures.write(train, TRAINING, 1);
    Figures.write(test, HELD_OUT, 2);
    Engine.getInstance().setRandomSeed(7);

    List<TrainWithDjl.Epoch> epochs = TrainWithDjl.train(train.toString(), test.toString());

    TrainWithDjl.Epoch last = epochs.get(epochs.size() - 1);
    assertThat(last.loss()).as("%s", epochs).isLessThan(epochs.get(0).loss() / 4);
    assertThat(last.accuracy()).as("%s", epochs).isGreaterThan(0.9f);
  }
}
