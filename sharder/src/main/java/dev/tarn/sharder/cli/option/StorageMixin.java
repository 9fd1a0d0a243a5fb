package dev.tarn.sharder.cli.option;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.sharder.cli.output.FailureHandler;
import dev.tarn.sharder.shard.ShardSelection;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of every subcommand: the S3 endpoint, and the detail of failure messages. */
@Command
public final class StorageMixin {
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = "--endpoint-url",
      paramLabel = "URL",
      description = "The S3 endpoint, over AWS_ENDPOINT_URL_S3 and AWS_ENDPOINT_URL.")
  private @Nullable URI endpoint;

  /** {@link FailureHandler} reads this from the parse result; all subcommands therefore have it. */
  @Option(names = FailureHandler.DEBUG, description = "Print the stack trace of a failure.")
  boolean debug;

  /** Opens the storage with the same settings as aws-cli. */
  public Storage open() {
    try {
      StorageOptions.Builder options = StorageOptions.builder();
      if (endpoint != null) {
        options.endpoint(endpoint);
      }
      return Storage.open(options.build());
    } catch (IllegalArgumentException e) {
      throw usage(e);
    }
  }

  public StorageUrl url(String text) {
    try {
      return StorageUrl.parse(text);
    } catch (IllegalArgumentException e) {
      throw usage(e);
    }
  }

  /** Returns the URLs of words that name datasets and shards; braces expand to several. */
  public List<StorageUrl> urls(List<String> words) {
    try {
      return ShardSelection.urls(words);
    } catch (IllegalArgumentException e) {
      throw usage(e);
    }
  }

  /** Verifies that an option's number is in range; throws a usage error if not. */
  public void requireWithin(String option, int number, int least, int most) {
    if (number < least || number > most) {
      String bound =
          most == Integer.MAX_VALUE ? "at least " + least : "from " + least + " to " + most;
      throw usage(new IllegalArgumentException(option + " " + number + ": " + bound));
    }
  }

  public ParameterException usage(IllegalArgumentException e) {
    if (spec == null) {
      throw e;
    }
    return new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
  }
}
