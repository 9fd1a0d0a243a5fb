package dev.tarn.sharder.cli.option;

import dev.tarn.client.storage.StorageUrl;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The option for the number of shards that a command reads in parallel. */
@Command
public final class JobsMixin {
  private static final int JOBS_MAX = 64;

  /** Remote reads have high latency, so several run in parallel. */
  private static final int REMOTE_JOBS = 8;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      description =
          "How many shards are read at once (default: one for each processor, at least 8 if they"
              + " are remote).")
  private @Nullable Integer jobs;

  /** Returns the number of shards, from 1 to 64; throws a usage error for other values. */
  public int jobs(StorageMixin storageOptions, List<StorageUrl> urls) {
    int processors = Runtime.getRuntime().availableProcessors();
    if (jobs == null) {
      boolean local = urls.stream().allMatch(url -> url.scheme() == StorageUrl.Scheme.FILE);
      return Math.min(JOBS_MAX, local ? processors : Math.max(REMOTE_JOBS, processors));
    }
    storageOptions.requireWithin("--jobs", jobs, 1, JOBS_MAX);
    return jobs;
  }
}
