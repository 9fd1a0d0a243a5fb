package dev.tarn.sharder.cli;

import dev.tarn.sharder.source.ListColumns;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Packs sources into a dataset. */
@Command(
    name = "pack",
    description = {
      "Packs the files of SOURCEs into a dataset of shards at DEST.",
      "",
      "Started again after it was broken off, it goes on where it stopped, and makes the same"
          + " bytes.",
    },
    footer = {
      "",
      "Examples:",
      "  sharder pack images shards --seed 1",
      "  sharder pack images labels.csv s3://data/shards --max-size 1GiB --compress zstd",
    })
final class PackCommand extends PackingCommand implements Callable<Integer> {
  @Mixin private SourcesMixin sourceOptions = new SourcesMixin();

  @Parameters(
      arity = "2..*",
      paramLabel = "SOURCE... DEST",
      hideParamSyntax = true,
      description = {
        "SOURCE: " + SourcesMixin.DESCRIPTION,
        "DEST: A directory, or s3://bucket/prefix."
      })
  private List<String> words = List.of();

  PackCommand() {
    super("pack");
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    return pack(places(words));
  }

  @Override
  ListColumns columns() {
    return sourceOptions.columns();
  }

  @Override
  Predicate<String> filter() {
    return name -> true;
  }
}
