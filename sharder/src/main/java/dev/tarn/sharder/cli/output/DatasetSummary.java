package dev.tarn.sharder.cli.output;

import dev.tarn.shard.manifest.DatasetManifest;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the summaries of several commands say of a dataset to programs. */
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
