package dev.tarn.sharder.cli;

import dev.tarn.sharder.cli.option.JobsMixin;
import dev.tarn.sharder.cli.option.StorageMixin;
import dev.tarn.sharder.cli.option.TemporaryMixin;
import dev.tarn.sharder.cli.output.Console;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** The options of the commands that read many shards at once. */
@Command
abstract class ShardsCommand implements Callable<Integer> {
  @Mixin final StorageMixin storageOptions = new StorageMixin();
  @Mixin final TemporaryMixin temporary = new TemporaryMixin();
  @Mixin final JobsMixin jobsOption = new JobsMixin();
  @Mixin final Console console = new Console();
  @ParentCommand private @Nullable SharderCommand parent;

  @Override
  public final Integer call() throws IOException, InterruptedException {
    try {
      return run();
    } catch (InterruptedException | InterruptedIOException e) {
      console.warn(whenInterrupted());
      throw e instanceof InterruptedException interrupted
          ? interrupted
          : new InterruptedException(e.getMessage());
    }
  }

  /** Carries out the command and returns the exit code. */
  abstract Integer run() throws IOException, InterruptedException;

  /** Describes the state after an interruption, and how to go on. */
  String whenInterrupted() {
    return "nothing was changed; the same command begins again";
  }

  /** From now on a signal interrupts this thread instead of ending the process. */
  final void beginInterruption() {
    if (parent == null) {
      throw new IllegalStateException("picocli gives every subcommand its parent");
    }
    parent.interruption().begin();
  }
}
