package dev.tarn.sharder.cli;

import dev.tarn.sharder.cli.option.JobsMixin;
import dev.tarn.sharder.cli.option.StorageMixin;
import dev.tarn.sharder.cli.option.TemporaryMixin;
import dev.tarn.sharder.cli.output.Console;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The options of the commands that read many shards at once. */
@Command
abstract class ShardsCommand implements Callable<Integer> {
  @Mixin final StorageMixin storageOptions = new StorageMixin();
  @Mixin final TemporaryMixin temporary = new TemporaryMixin();
  @Mixin final JobsMixin jobsOption = new JobsMixin();
  @Mixin final Console console = new Console();
}
