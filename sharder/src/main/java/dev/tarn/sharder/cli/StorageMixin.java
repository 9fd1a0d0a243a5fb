package dev.tarn.sharder.cli;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of every subcommand: where S3 is, and how much to say of a failure. */
@Command
final class StorageMixin {
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = "--endpoint-url",
      paramLabel = "URL",
      description = "The S3 endpoint, over AWS_ENDPOINT_URL_S3 and AWS_ENDPOINT_URL.")
  private @Nullable URI endpoint;

  /** Read from the parse result, where {@link FailureHandler} finds it for every subcommand. */
  @Option(names = FailureHandler.DEBUG, description = "Print the stack trace of a failure.")
  boolean debug;

  /** Opens the storage with the settings that aws-cli would use. */
  Storage open() {
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

  StorageUrl url(String text) {
    try {
      return StorageUrl.parse(text);
    } catch (IllegalArgumentException e) {
      throw usage(e);
    }
  }

  ParameterException usage(IllegalArgumentException e) {
    if (spec == null) {
      throw e;
    }
    return new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
  }
}
