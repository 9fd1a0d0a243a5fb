package dev.tarn.standalone.command;

import dev.tarn.cluster.control.BucketSettings;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bin/tarn bucket}. */
@Command(
    name = "bucket",
    mixinStandardHelpOptions = true,
    description = "Manage buckets and their settings.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      BucketCommand.Create.class,
      BucketCommand.Ls.class,
      BucketCommand.Show.class,
      BucketCommand.Set.class,
      BucketCommand.Delete.class,
      BucketCommand.Evict.class,
      BucketCommand.Usage.class,
      CacheRuleCommand.class
    })
final class BucketCommand {
  private static final String BUCKETS = "/buckets";

  /** {@code bin/tarn bucket create}. */
  @Command(
      name = "create",
      description = "Create a bucket.",
      footer = "  tarn bucket create imagenet --backend s3://imagenet-1k/train")
  static final class Create extends AdminCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "Name of the new bucket.")
    private String name = "";

    @Option(
        names = "--owner",
        paramLabel = "USER",
        description = "Owner of the bucket; default: the user of the key pair.")
    private @Nullable String owner;

    @Mixin private SettingsOptions settings = new SettingsOptions();

    @Option(
        names = "--no-probe",
        description =
            "Do not test whether the backend can be reached and listed with its key pair.")
    private boolean unprobed;

    @Override
    public Integer call() throws IOException {
      JsonObject document =
          new JsonObject()
              .put("name", name)
              .put("settings", given(settings::documentOfNewBucket))
              .put("probe", !unprobed);
      if (owner != null) {
        document.put("owner", owner);
      }
      printer().document(call("POST", BUCKETS, document));
      return 0;
    }
  }

  /** {@code bin/tarn bucket list}. */
  @Command(
      name = "list",
      aliases = "ls",
      description = "List all buckets.",
      footer = "  tarn bucket list --cached")
  static final class Ls extends AdminCommand implements Callable<Integer> {
    @Option(
        names = "--cached",
        description = "List the buckets with a backend, and how well the cache serves them.")
    private boolean cached;

    @Override
    public Integer call() throws IOException {
      if (cached) {
        CachedTable.print(call("GET", "/status", null), printer());
        return 0;
      }
      printer()
          .table(
              call("GET", BUCKETS, null),
              "buckets",
              Stream.concat(
                      Stream.of("name", "owner", "created"),
                      BucketSettings.SCHEMA.entries().stream()
                          .map(entry -> "settings." + entry.field()))
                  .toArray(String[]::new));
      return 0;
    }
  }

  /** {@code bin/tarn bucket show}. */
  @Command(
      name = "show",
      description = "Show a bucket's settings.",
      footer = "  tarn bucket show imagenet")
  static final class Show extends AdminCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "Name of the bucket.")
    private String name = "";

    @Override
    public Integer call() throws IOException {
      printer().document(call("GET", BUCKETS + segment(name), null));
      return 0;
    }
  }

  /** {@code bin/tarn bucket set}. */
  @Command(
      name = "set",
      description = "Change a bucket's settings.",
      footer = "  tarn bucket set imagenet --anonymous-read --durability os")
  static final class Set extends AdminCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "Name of the bucket.")
    private String name = "";

    @Mixin private SettingsOptions settings = new SettingsOptions();

    @Override
    public Integer call() throws IOException {
      JsonObject changes = given(settings::document);
      if (changes.isEmpty()) {
        throw wrongUsage("nothing to set; give a setting such as --durability or --freshness");
      }
      printer().document(call("PATCH", BUCKETS + segment(name), changes));
      return 0;
    }
  }

  /** {@code bin/tarn bucket delete}. */
  @Command(
      name = "delete",
      description = {
        "Delete an empty bucket.",
        "A bucket with a backend need not be empty: its objects stay in the backend."
      },
      footer = "  tarn bucket delete imagenet")
  static final class Delete extends AdminCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "Name of the bucket.")
    private String name = "";

    @Override
    public Integer call() throws IOException {
      printer().document(call("DELETE", BUCKETS + segment(name), null));
      return 0;
    }
  }

  /** {@code bin/tarn bucket usage}. */
  @Command(
      name = "usage",
      description = {
        "Show how much of a bucket is stored, and how well the cache serves it.",
        "Of a bucket with a backend: the reads of the last minute, of the last hour, and since the"
            + " targets started, and what has left the cache. A hit ratio is the share of reads, or"
            + " of bytes, that needed no bytes of the backend. A fetch is a request to the backend"
            + " for bytes; its time ends when the answer begins. Unread bytes had been asked"
            + " for only once when they left."
      },
      footer = "  tarn bucket usage imagenet")
  static final class Usage extends AdminCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "Name of the bucket.")
    private String name = "";

    @Override
    public Integer call() throws IOException {
      printer().document(call("GET", BUCKETS + segment(name) + "/usage", null));
      return 0;
    }
  }

  /** {@code bin/tarn bucket evict}. */
  @Command(
      name = "evict",
      description = {
        "Drop cached bytes of a bucket with a backend, and free their space.",
        "Nothing is deleted at the backend: the next reads fetch the bytes again."
      },
      footer = "  tarn bucket evict imagenet --prefix train/")
  static final class Evict extends AdminCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the bucket.")
    private String name = "";

    @Parameters(
        index = "1..*",
        paramLabel = "KEY",
        description = "Drop only these objects; default: all.")
    private List<String> keys = List.of();

    @Option(
        names = "--prefix",
        paramLabel = "PREFIX",
        description = "Drop only objects whose keys begin with PREFIX.")
    private String prefix = "";

    @Override
    public Integer call() throws IOException {
      if (!keys.isEmpty() && !prefix.isEmpty()) {
        throw wrongUsage("--prefix and keys exclude each other");
      }
      EvictionCalls eviction = new EvictionCalls(this, name);
      printer().document(keys.isEmpty() ? eviction.ofPrefix(prefix) : eviction.of(keys));
      return 0;
    }
  }
}
