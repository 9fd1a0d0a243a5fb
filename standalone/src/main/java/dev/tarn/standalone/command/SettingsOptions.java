package dev.tarn.standalone.command;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.SettingsSchema;
import dev.tarn.standalone.node.KeyPair;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A bucket's settings on the command line. A setting that is not given does not change. */
final class SettingsOptions {
  private static final String ACCESS_VARIABLE = "TARN_BACKEND_ACCESS_KEY";
  private static final String SECRET_VARIABLE = "TARN_BACKEND_SECRET_KEY";

  private @Nullable CommandSpec command;

  @Option(
      names = "--backend",
      paramLabel = "s3://BUCKET/PREFIX",
      description =
          "The S3 service that the bucket caches. Requests are signed with the key pair in"
              + " TARN_BACKEND_ACCESS_KEY and TARN_BACKEND_SECRET_KEY or in --backend-credentials;"
              + " without a pair they are not signed. Only region and key pair can be changed"
              + " later.")
  private @Nullable String backend;

  @Option(
      names = "--backend-endpoint",
      paramLabel = "URL",
      description = "URL of the backend; default: AWS.")
  private @Nullable String backendEndpoint;

  @Option(
      names = "--backend-region",
      paramLabel = "REGION",
      description = "Region of the backend; default: us-east-1.")
  private @Nullable String backendRegion;

  @Option(
      names = "--backend-credentials",
      paramLabel = "FILE",
      description = "File with the backend's key pair, as aws-cli writes it.")
  private @Nullable Path backendCredentials;

  @Option(names = "--no-backend", description = "Store objects in Tarn only, without a backend.")
  private boolean noBackend;

  /** Adds an option for each setting to the command that has these options. */
  @Spec(Spec.Target.MIXEE)
  void addTo(CommandSpec mixee) {
    command = mixee;
    BucketSettings.SCHEMA.entries().forEach(entry -> mixee.addOption(option(entry)));
  }

  static OptionSpec option(SettingsSchema.Entry entry) {
    List<String> choices = entry.choices();
    String meaning = entry.meaning() + (choices.isEmpty() ? ": " + entry.expectation() : "");
    OptionSpec.Builder option =
        OptionSpec.builder(optionName(entry))
            .type(entry.isFlag() ? Boolean.class : String.class)
            .paramLabel(choices.isEmpty() ? "RULE" : String.join("|", choices))
            .description(
                meaning.substring(0, 1).toUpperCase(Locale.ROOT) + meaning.substring(1) + ".");
    // The type of a flag matters: it keeps the word after the flag from being taken for its value.
    return (entry.isFlag() ? option.arity("0..1").fallbackValue("true") : option).build();
  }

  private static String optionName(SettingsSchema.Entry entry) {
    return "--" + entry.name();
  }

  /** The changes in the form of the admin API. */
  JsonObject document() throws IOException {
    JsonObject document = new JsonObject();
    for (SettingsSchema.Entry entry : BucketSettings.SCHEMA.entries()) {
      Object given = requireNonNull(command).findOption(optionName(entry)).getValue();
      if (given != null) {
        document.put(entry.field(), SettingsSchema.Entry.json(entry.parse(given.toString())));
      }
    }
    Map<String, String> environment = System.getenv();
    boolean ofBackend =
        backend != null
            || backendEndpoint != null
            || backendRegion != null
            || backendCredentials != null;
    if (noBackend && ofBackend) {
      throw new IllegalArgumentException(
          "--no-backend and the --backend options exclude each other");
    }
    if (noBackend) {
      document.putNull("backend");
    } else if (ofBackend) {
      document.put("backend", backendDocument(environment));
    }
    return document;
  }

  /**
   * The settings of a new bucket. A new bucket has no backend yet, so the --backend options need
   * --backend.
   */
  JsonObject documentOfNewBucket() throws IOException {
    JsonObject document = document();
    JsonObject section = document.getJsonObject("backend");
    if (section != null && !section.containsKey("bucket")) {
      throw new IllegalArgumentException(
          "the --backend options need --backend s3://BUCKET/PREFIX too, which names the backend");
    }
    return document;
  }

  /** The given settings of the backend; the others do not change. */
  private JsonObject backendDocument(Map<String, String> environment) throws IOException {
    JsonObject document = new JsonObject();
    if (backend != null) {
      putPlace(document, backend);
    }
    if (backendRegion != null) {
      document.put("region", backendRegion);
    }
    if (backendEndpoint != null) {
      document.put("endpoint", backendEndpoint);
    }
    backendPair(environment)
        .ifPresent(pair ->
            document
                .put("access_key_id", pair.accessKey())
                .put("secret_access_key", pair.secretKey()));
    return document;
  }

  private static void putPlace(JsonObject document, String url) {
    if (!url.startsWith("s3://") || url.length() == "s3://".length()) {
      throw new IllegalArgumentException(
          "--backend is '" + url + "', must be s3://BUCKET or s3://BUCKET/PREFIX");
    }
    String rest = url.substring("s3://".length());
    int slash = rest.indexOf('/');
    document
        .put("bucket", slash < 0 ? rest : rest.substring(0, slash))
        .put("prefix", slash < 0 ? "" : rest.substring(slash + 1));
  }

  private Optional<KeyPair> backendPair(Map<String, String> environment) throws IOException {
    return backendCredentials == null
        ? KeyPair.inEnvironment(environment, ACCESS_VARIABLE, SECRET_VARIABLE)
        : Optional.of(KeyPair.requiredIn(backendCredentials, "--backend-credentials"));
  }
}
