package dev.tarn.sharder.cli.output;

import dev.tarn.shard.manifest.DatasetManifest;
import java.util.LinkedHashMap;
import java.util.Map;

/** The summary fields of a dataset in the JSON output, which several commands share. */
public final class DatasetSummary {
  private DatasetSummary() {}

  public static Map<String, Object> fields(String command, DatasetManifest manifest) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("command", command);
    fields.put("samples", manifest.samples());
    fields.put("files", manifest.members());
    fields.put("shards", manifest.shards().size());
    fields.put("bytes", manifest.size());
    fields.put("sha256", manifest.digest().hex());
    return fields;
  }
}
