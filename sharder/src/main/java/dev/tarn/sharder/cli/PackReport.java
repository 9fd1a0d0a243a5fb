package dev.tarn.sharder.cli;

import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.json.JsonText;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.sharder.cli.output.ByteSize;
import dev.tarn.sharder.cli.output.Console;
import dev.tarn.sharder.cli.output.Counted;
import dev.tarn.sharder.cli.output.DatasetSummary;
import dev.tarn.sharder.pack.Slice;
import dev.tarn.sharder.plan.PlannedShard;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Says how a pack ended.
 *
 * @param name of the command
 */
record PackReport(String name, Console console) {
  /** Says that an interrupted pack can be resumed. */
  void unfinished() {
    console.warn("the pack is not finished; run the same command again to resume it");
  }

  void nothingToAppend() {
    console.summary(Map.of("command", name, "shards", 0), "there is nothing to append");
  }

  /** Warns of samples that were lost while packing: files are opened only after planning. */
  void lost(long samples) {
    if (samples > 0) {
      console.warn(
          "left out "
              + Counted.of(samples, "sample")
              + " because of errors in packing; --report FILE names them");
    }
  }

  void dryRun(List<PlannedShard> shards, StorageUrl to) {
    long samples = shards.stream().mapToLong(PlannedShard::samples).sum();
    long members = shards.stream().mapToLong(PlannedShard::members).sum();
    long bytes = shards.stream().mapToLong(PlannedShard::fileBytes).sum();
    console.summary(
        JsonText.fields(
            "command",
            name,
            "dry_run",
            true,
            "samples",
            samples,
            "files",
            members,
            "shards",
            shards.size(),
            "bytes",
            bytes),
        String.format(
            Locale.ROOT,
            "would pack %s of %s of %s into %s: %s",
            Counted.of(samples, "sample"),
            Counted.of(members, "file"),
            ByteSize.print(bytes),
            Counted.of(shards.size(), "shard"),
            to));
  }

  void slice(Slice slice, int shards, long skipped, StorageUrl to) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("command", name);
    fields.put("task", slice.task());
    fields.put("tasks", slice.tasks());
    fields.put("shards", shards);
    fields.put("skipped", skipped);
    console.summary(
        fields,
        String.format(
            Locale.ROOT,
            "packed %s, those of task %d of %d: %s%nsharder commit makes the dataset when"
                + " all tasks are done",
            Counted.of(shards, "shard"),
            slice.task(),
            slice.tasks(),
            to));
  }

  void dataset(DatasetManifest manifest, long skipped, StorageUrl to) {
    Map<String, Object> fields = DatasetSummary.fields(name, manifest);
    fields.put("skipped", skipped);
    console.summary(
        fields,
        String.format(
            Locale.ROOT,
            "packed %s of %s into %s of %s: %s%ndataset sha256:%s",
            Counted.of(manifest.samples(), "sample"),
            Counted.of(manifest.members(), "file"),
            Counted.of(manifest.shards().size(), "shard"),
            ByteSize.print(manifest.size()),
            to,
            manifest.digest()));
  }
}
