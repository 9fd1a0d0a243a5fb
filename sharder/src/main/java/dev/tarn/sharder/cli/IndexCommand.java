package dev.tarn.sharder.cli;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.json.JsonText;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.cli.output.Console;
import dev.tarn.sharder.cli.output.Counted;
import dev.tarn.sharder.index.ForeignShards;
import dev.tarn.sharder.index.IndexedShard;
import dev.tarn.sharder.index.ShardIndexing;
import dev.tarn.sharder.index.WidsIndex;
import dev.tarn.sharder.shard.Datasets;
import dev.tarn.sharder.shard.ParallelShards;
import dev.tarn.sharder.shard.ShardAccess;
import dev.tarn.sharder.shard.ShardPlace;
import dev.tarn.sharder.shard.ShardSelection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes indexes of shards that other programs made. */
@Command(
    description = {
      "Makes missing indexes beside shards, and a manifest on request. Shards of other programs"
          + " become a dataset in this way.",
      "",
      "Shards that have an index are not read, unless --force is given.",
    },
    footer = {
      "",
      "Examples:",
      "  sharder index laion/{00000..00099}.tar",
      "  sharder index --manifest s3://data/shards",
      "  sharder index --wids shards/wids.json --dali shards",
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class IndexCommand extends ShardsCommand {
  @Parameters(
      arity = "1..*",
      paramLabel = "FOLDER|SHARD",
      description =
          "Shards: names that end in .tar, .tar.gz and so on. Or folders: the shards of the dataset"
              + " there, or all shards below the folder if it has no dataset.")
  private List<String> names = List.of();

  @Option(
      names = "--manifest",
      description = "Also write dataset.json, into the named folder or the folder of all shards.")
  private boolean manifest;

  @Option(
      names = "--wids",
      paramLabel = "FILE",
      description = "Also write the list of shards for wids.")
  private @Nullable String wids;

  @Option(
      names = "--dali",
      description = "Also write each shard's index for DALI, as SHARD.idx beside SHARD.tar.")
  private boolean dali;

  @Option(
      names = "--force",
      description = "Make all indexes again and replace existing files (default: keep them).")
  private boolean force;

  @Option(names = "--dry-run", description = "Write nothing; print what would be written.")
  private boolean dryRun;

  @Override
  String whenInterrupted() {
    return "finished indexes stay; the same command makes the missing ones";
  }

  @Override
  Integer run() throws IOException, InterruptedException {
    List<StorageUrl> urls = storageOptions.urls(names);
    int jobs = jobsOption.jobs(storageOptions, urls);
    try (Storage storage = storageOptions.open()) {
      List<ShardPlace> shards = ForeignShards.find(storage, urls);
      @Nullable StorageUrl folder = manifest ? folder(urls, shards) : null;
      @Nullable StorageUrl list = wids == null ? null : storageOptions.url(wids);
      requireAbsent(storage, folder == null ? null : folder.child(DatasetManifest.FILE_NAME));
      requireAbsent(storage, list);
      if (dali && !force) {
        requireNoForeignDaliIndexes(storage, shards, jobs);
      }
      if (dryRun) {
        return plan(storage, shards, folder, list);
      }
      Optional<DatasetManifest> present =
          folder != null && ForeignShards.isDataset(storage, folder)
              ? Optional.of(Datasets.open(storage, folder))
              : Optional.empty();
      List<IndexedShard> indexed = index(storage, shards, jobs);
      if (list != null) {
        var _ = storage.write(list, WidsIndex.of(list, indexed));
      }
      report(storage, indexed, folder, present);
      return 0;
    }
  }

  private ShardIndexing indexing(Storage storage, Progress progress) {
    ShardAccess access = new ShardAccess(storage, temporary.folder());
    return new ShardIndexing(access, force, dali, progress);
  }

  private void requireNoForeignDaliIndexes(Storage storage, List<ShardPlace> shards, int jobs)
      throws IOException, InterruptedException {
    ShardIndexing indexing = indexing(storage, new Progress());
    ParallelShards.Task<Boolean> task =
        shard -> {
          Optional<StorageUrl> url = indexing.foreignDaliIndex(shard);
          requireAbsent(storage, url.orElse(null));
          return url.isPresent();
        };
    ParallelShards.run(shards, jobs, task, _ -> {});
  }

  private List<IndexedShard> index(Storage storage, List<ShardPlace> shards, int jobs)
      throws IOException, InterruptedException {
    beginInterruption();
    List<IndexedShard> indexed = new ArrayList<>();
    try (Progress progress = console.begin("indexing", Console.UNKNOWN, Console.UNKNOWN)) {
      ShardIndexing indexing =
          new ShardIndexing(new ShardAccess(storage, temporary.folder()), force, dali, progress);
      ParallelShards.run(shards, jobs, indexing::index, indexed::add);
    }
    for (IndexedShard shard : indexed) {
      if (!shard.isStated() && !manifest) {
        console.warn(
            shard.place().index()
                + ": the index is not the one that dataset.json names; --manifest writes"
                + " dataset.json again");
      }
      shard
          .daliObstacle()
          .ifPresent(why -> console.warn(shard.place() + ": " + why + ": no index for it"));
      if (wids != null && shard.compression().isPresent()) {
        console.warn(shard.place() + ": compressed, so that wids cannot read it");
      }
    }
    return indexed;
  }

  /** Returns the named folder if there is just one, otherwise the folder that all shards lie in. */
  private StorageUrl folder(List<StorageUrl> urls, List<ShardPlace> shards) {
    if (urls.size() == 1 && !ShardPlace.isShardName(urls.getFirst().path())) {
      return ShardSelection.dataset(urls.getFirst());
    }
    StorageUrl folder = shards.getFirst().url().parent();
    for (ShardPlace shard : shards) {
      if (!shard.url().parent().equals(folder)) {
        throw storageOptions.usage(
            new IllegalArgumentException(
                "--manifest: the shards lie in several folders, "
                    + folder
                    + " and "
                    + shard.url().parent()
                    + "; name the folder that contains all of them"));
      }
    }
    return folder;
  }

  private void requireAbsent(Storage storage, @Nullable StorageUrl url) throws IOException {
    if (url != null && !force && storage.exists(url)) {
      throw new FileAlreadyExistsException(
          url.toString(), null, "exists already; --force replaces it");
    }
  }

  private int plan(
      Storage storage,
      List<ShardPlace> shards,
      @Nullable StorageUrl folder,
      @Nullable StorageUrl list)
      throws IOException {
    ShardIndexing indexing =
        new ShardIndexing(
            new ShardAccess(storage, temporary.folder()), force, dali, new Progress());
    for (ShardPlace shard : shards) {
      if (indexing.isDue(shard)) {
        wouldWrite(shard.index());
      }
      indexing.daliIndex(shard).ifPresent(this::wouldWrite);
    }
    if (list != null) {
      wouldWrite(list);
    }
    if (folder != null) {
      wouldWrite(folder.child(DatasetManifest.FILE_NAME));
    }
    return 0;
  }

  private void wouldWrite(StorageUrl url) {
    console.result("would_write", JsonText.fields("file", url), "would write " + url);
  }

  private void report(
      Storage storage,
      List<IndexedShard> shards,
      @Nullable StorageUrl folder,
      Optional<DatasetManifest> present)
      throws IOException {
    long fresh = shards.stream().filter(IndexedShard::isNew).count();
    long samples = shards.stream().mapToLong(IndexedShard::samples).sum();
    long files = shards.stream().mapToLong(IndexedShard::members).sum();
    Map<String, Object> fields =
        JsonText.fields(
            "command",
            "index",
            "shards",
            shards.size(),
            "indexes_written",
            fresh,
            "samples",
            samples,
            "files",
            files);
    String text =
        String.format(
            Locale.ROOT,
            "%s with %s of %s; %s written",
            Counted.of(shards.size(), "shard"),
            Counted.of(samples, "sample"),
            Counted.of(files, "file"),
            Counted.of(fresh, "index"));
    if (folder != null) {
      DatasetManifest dataset = ForeignShards.manifest(folder, present, shards);
      ByteBuffer json = ByteBuffer.wrap(dataset.toJson());
      var _ = storage.write(folder.child(DatasetManifest.FILE_NAME), json);
      fields.put("sha256", dataset.digest().hex());
      text += System.lineSeparator() + "dataset sha256:" + dataset.digest();
    }
    console.summary(fields, text);
  }
}
