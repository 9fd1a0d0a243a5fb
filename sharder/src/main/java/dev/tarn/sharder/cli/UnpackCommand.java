package dev.tarn.sharder.cli;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.json.JsonText;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.cli.option.OriginMixin;
import dev.tarn.sharder.cli.output.ByteSize;
import dev.tarn.sharder.cli.output.Console;
import dev.tarn.sharder.cli.output.Counted;
import dev.tarn.sharder.inspect.Existing;
import dev.tarn.sharder.inspect.UnpackFolder;
import dev.tarn.sharder.inspect.UnpackedNames;
import dev.tarn.sharder.inspect.Unpacking;
import dev.tarn.sharder.inspect.Unpacking.Unpacked;
import dev.tarn.sharder.shard.ParallelShards;
import dev.tarn.sharder.shard.ShardAccess;
import dev.tarn.sharder.shard.ShardPlace;
import dev.tarn.sharder.shard.ShardSelection;
import dev.tarn.sharder.sort.SortSpace;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Extracts all files from shards. */
@Command(
    description = {
      "Extracts the files of datasets and shards below DIR, under their own names.",
      "",
      "A file appears when it is complete and agrees with the shard's index, if the shard has one."
          + " Names that lead out of DIR are refused; folders and links are left out.",
    },
    footer = {
      "",
      "Examples:",
      "  sharder unpack s3://data/shards ./files",
      "  sharder unpack --existing skip a.tar.gz b.tar ./files",
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class UnpackCommand extends ShardsCommand {
  @Parameters(
      arity = "2..*",
      paramLabel = "DATASET|SHARD... DIR",
      hideParamSyntax = true,
      description =
          "Datasets' folders, and shards: names that end in .tar, .tar.gz and so on. Then the"
              + " folder for the files.")
  private List<String> names = List.of();

  @Mixin private OriginMixin origin = new OriginMixin();

  @Option(
      names = "--existing",
      paramLabel = "abort|skip|replace",
      defaultValue = "abort",
      description = "What to do about existing files (default: ${DEFAULT-VALUE}).")
  private Existing existing = Existing.ABORT;

  @Option(
      names = "--dry-run",
      description = "Write nothing; print how much would be written, or what prevents it.")
  private boolean dryRun;

  @Override
  String whenInterrupted() {
    return "finished files stay; add --existing skip to the same command to go on";
  }

  @Override
  Integer run() throws IOException, InterruptedException {
    List<StorageUrl> urls = storageOptions.urls(names.subList(0, names.size() - 1));
    int jobs = jobsOption.jobs(storageOptions, urls);
    UnpackFolder folder = folder();
    Total total = new Total();
    try (Storage storage = origin.open(storageOptions, urls)) {
      List<ShardPlace> shards = ShardSelection.shards(storage, urls);
      beginInterruption();
      try (Progress progress = begin(shards);
          UnpackedNames files = new UnpackedNames(shards, SortSpace.in(temporary.folder()))) {
        ShardAccess access = new ShardAccess(storage, temporary.folder());
        Unpacking unpacking = new Unpacking(access, folder, files, dryRun, progress);
        ParallelShards.run(
            shards, jobs, unpacking::unpack, more -> total.unpacked = total.unpacked.plus(more));
        files.compare();
      }
      report(total.unpacked, shards.size());
    }
    return 0;
  }

  private static final class Total {
    private Unpacked unpacked = Unpacked.NONE;
  }

  private UnpackFolder folder() {
    try {
      return new UnpackFolder(storageOptions.url(names.getLast()), existing);
    } catch (IllegalArgumentException e) {
      throw storageOptions.usage(e);
    }
  }

  private Progress begin(List<ShardPlace> shards) {
    boolean known = shards.stream().allMatch(shard -> shard.entry().isPresent());
    long files = shards.stream().flatMap(s -> s.entry().stream()).mapToLong(e -> e.members()).sum();
    return console.begin("unpacking", known ? files : Console.UNKNOWN, Console.UNKNOWN);
  }

  private void report(Unpacked unpacked, int shards) {
    if (unpacked.others() > 0) {
      console.warn("left out what is no file: " + Counted.of(unpacked.others(), "member"));
    }
    console.summary(
        JsonText.fields(
            "command",
            "unpack",
            "files",
            unpacked.files(),
            "bytes",
            unpacked.bytes(),
            "kept",
            unpacked.kept(),
            "shards",
            shards,
            "dry_run",
            dryRun),
        String.format(
            Locale.ROOT,
            "%s %s of %s from %s into %s%s",
            dryRun ? "would unpack" : "unpacked",
            Counted.of(unpacked.files(), "file"),
            ByteSize.print(unpacked.bytes()),
            Counted.of(shards, "shard"),
            names.getLast(),
            unpacked.kept() == 0
                ? ""
                : String.format(Locale.ROOT, "; %,d are there already", unpacked.kept())));
  }
}
