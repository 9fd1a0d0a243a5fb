package dev.tarn.sharder.cli;

import dev.tarn.sharder.cli.option.SourcesMixin;
import dev.tarn.sharder.cli.option.TaskMixin;
import dev.tarn.sharder.cli.option.WaitMixin;
import dev.tarn.sharder.pack.Slice;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Packs sources into a dataset. */
@Command(
    description = {
      "Packs the files of SOURCEs into a dataset of shards at DEST.",
      "",
      "An interrupted pack resumes if it is started again with the same arguments, and makes the"
          + " same bytes.",
    },
    footer = {
      "",
      "Examples:",
      "  sharder pack images shards --seed 1",
      "  sharder pack images labels.csv s3://data/shards --max-size 1GiB --compress zstd",
      "  sharder pack --plan s3://data/plan --task 3/8",
    })
final class PackCommand extends PackingCommand implements Callable<Integer> {
  @Mixin private SourcesMixin sourceOptions = new SourcesMixin();

  @Parameters(
      arity = "0..*",
      paramLabel = "SOURCE... DEST",
      hideParamSyntax = true,
      description = {
        "SOURCE: " + SourcesMixin.DESCRIPTION,
        "DEST: A directory, or s3://bucket/prefix."
      })
  private List<String> words = List.of();

  @Mixin private TaskMixin task = new TaskMixin();
  @Mixin private WaitMixin wait = new WaitMixin();

  PackCommand() {
    super("pack");
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Optional<Slice> slice = checked(this::slice);
    Optional<String> plan = task.plan();
    return plan.isPresent() ? packPlan(plan.orElseThrow(), slice, wait) : pack(places(words));
  }

  /** Returns the requested slice of the plan; verifies that the other options and words fit it. */
  private Optional<Slice> slice() {
    Optional<Slice> slice = task.slice(System.getenv());
    if (task.plan().isPresent()) {
      if (!words.isEmpty()) {
        throw new IllegalArgumentException(
            "--plan: the plan has the sources and the destination; leave out SOURCE and DEST");
      }
      requireNoPlanning();
    } else if (wait.isGiven()) {
      throw new IllegalArgumentException("--wait needs --plan");
    } else if (slice.isPresent()) {
      throw new IllegalArgumentException("--task and --tasks need --plan");
    } else if (words.size() < 2) {
      throw new IllegalArgumentException("expected SOURCE... DEST, or --plan PLAN");
    }
    return slice;
  }

  @Override
  SourcesMixin sourceOptions() {
    return sourceOptions;
  }

  @Override
  Predicate<String> filter() {
    return name -> true;
  }
}
