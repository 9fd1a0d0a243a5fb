package dev.tarn.sharder.cli;

import static java.util.stream.Collectors.toSet;

import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.sharder.cli.option.PackPlaces;
import dev.tarn.sharder.cli.option.SourcesMixin;
import dev.tarn.sharder.plan.option.KeyGlob;
import dev.tarn.sharder.source.SampleFilter;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Repacks datasets. */
@Command(
    description = {
      "Packs all or some samples of DATASETs into a new dataset at DEST.",
      "It writes the same bytes as packing the samples' files with the same options."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sharder reshard s3://data/shards s3://data/larger --max-size 1GiB --seed 7",
      "  sharder reshard old1 old2 merged --keep-ext jpg,cls",
      "  sharder reshard all cats --keep 'train/cat*' --split train=0.9,val=0.1"
    })
final class ReshardCommand extends PackingCommand implements Callable<Integer> {
  @Parameters(
      arity = "2..*",
      paramLabel = "DATASET... DEST",
      hideParamSyntax = true,
      description = "Directories, or s3://bucket/prefix; each DATASET holds a dataset.json.")
  private List<String> words = List.of();

  @Option(
      names = "--keep-ext",
      paramLabel = "EXT",
      split = ",",
      description = "Keep only members with these extensions (default: all).")
  private List<String> keptExtensions = List.of();

  @Option(
      names = "--drop-ext",
      paramLabel = "EXT",
      split = ",",
      description = "Leave out members with these extensions.")
  private List<String> droppedExtensions = List.of();

  @Option(
      names = "--keep",
      paramLabel = "KEYS",
      description =
          "Keep only samples whose keys match, such as 'train/cat*' (default: all). May be"
              + " repeated; one match is enough.")
  private List<String> keptKeys = List.of();

  @Option(
      names = "--drop",
      paramLabel = "KEYS",
      description = "Leave out samples whose keys match. May be repeated.")
  private List<String> droppedKeys = List.of();

  ReshardCommand() {
    super("reshard");
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    PackPlaces places = places(words);
    List<StorageUrl> manifests = places.sources().stream().map(ReshardCommand::manifest).toList();
    return pack(new PackPlaces(manifests, places.destination()));
  }

  private static StorageUrl manifest(StorageUrl dataset) {
    return dataset.name().equals(DatasetManifest.FILE_NAME)
        ? dataset
        : dataset.child(DatasetManifest.FILE_NAME);
  }

  @Override
  SourcesMixin sourceOptions() {
    return new SourcesMixin();
  }

  @Override
  Predicate<String> filter() {
    return new SampleFilter(
        lowerCase(keptExtensions), lowerCase(droppedExtensions), keys(keptKeys), keys(droppedKeys));
  }

  private static Set<String> lowerCase(List<String> extensions) {
    return extensions.stream().map(text -> text.toLowerCase(Locale.ROOT)).collect(toSet());
  }

  private static List<Predicate<String>> keys(List<String> globs) {
    return globs.stream().<Predicate<String>>map(text -> KeyGlob.of(text)::matches).toList();
  }
}
