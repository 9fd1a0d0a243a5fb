package dev.tarn.standalone.command;

import dev.tarn.cluster.control.CacheRule;
import dev.tarn.cluster.control.CacheRules;
import dev.tarn.cluster.control.Freshness;
import dev.tarn.standalone.client.AdminRequestException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bin/tarn bucket cache-rule}. */
@Command(
    name = "cache-rule",
    mixinStandardHelpOptions = true,
    description = "Say how the cache treats objects whose keys begin with a prefix.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      CacheRuleCommand.Add.class,
      CacheRuleCommand.Ls.class,
      CacheRuleCommand.Remove.class
    })
final class CacheRuleCommand {
  /** A command about the rules of a bucket. */
  abstract static class OfBucket extends AdminCommand implements Callable<Integer> {
    private static final String FIELD = "cache_rules";
    private static final int PRECONDITION_FAILED = 412;

    /** The most attempts of one change while others change the bucket. */
    private static final int ATTEMPTS_MAX = 20;

    @Parameters(paramLabel = "NAME", description = "Name of the bucket.")
    String name = "";

    private String path() {
      return "/buckets" + segment(name);
    }

    final CacheRules present() throws IOException {
      return rulesOf(call("GET", path(), null));
    }

    private CacheRules rulesOf(JsonObject bucket) {
      JsonObject settings = bucket.getJsonObject("settings");
      if (settings.getJsonObject("backend") == null) {
        throw wrongUsage("bucket '" + name + "' has no backend, so nothing of it is cached");
      }
      return CacheRules.parse(settings.getString(FIELD));
    }

    /** Changes the rules, again if others change the bucket meanwhile. Returns the new rules. */
    final CacheRules change(UnaryOperator<CacheRules> edit) throws IOException {
      for (int attempt = 1; ; attempt++) {
        JsonObject read = call("GET", path(), null);
        CacheRules changed = given(() -> edit.apply(rulesOf(read)));
        try {
          JsonObject _ =
              call(
                  "PATCH",
                  path(),
                  new JsonObject().put(FIELD, changed.toString()),
                  Map.of("If-Match", "\"" + read.getLong("version") + "\""));
          return changed;
        } catch (AdminRequestException e) {
          if (e.status() != PRECONDITION_FAILED || attempt == ATTEMPTS_MAX) {
            throw e;
          }
        }
      }
    }

    final void print(CacheRules rules) {
      JsonArray items = new JsonArray();
      for (CacheRule rule : rules.rules()) {
        items.add(
            new JsonObject()
                .put("prefix", rule.prefix())
                .put("mode", rule.mode().name().toLowerCase(Locale.ROOT))
                .put("freshness", rule.freshness().map(Freshness::toString).orElse(null)));
      }
      printer()
          .table(
              new JsonObject().put("bucket", name).put("rules", items),
              "rules",
              "prefix",
              "mode",
              "freshness");
    }
  }

  /** {@code bin/tarn bucket cache-rule add}. */
  @Command(
      name = "add",
      description = {
        "Add a rule, or replace the one that has the same prefix.",
        "Of the rules that match a key, the one with the longest prefix holds. A rule that bypasses"
            + " the cache also drops what is cached under its prefix, unless another rule has a"
            + " longer prefix that begins with it."
      },
      footer = "  tarn bucket cache-rule add imagenet --prefix train/ --mode pin")
  static final class Add extends OfBucket {
    @Option(
        names = "--prefix",
        required = true,
        paramLabel = "PREFIX",
        description = "The rule holds for keys that begin with PREFIX; '' for all keys.")
    private String prefix = "";

    @Option(
        names = "--mode",
        paramLabel = "normal|bypass|pin",
        description =
            "normal keeps what is worth most, bypass keeps nothing, and what is pinned is not"
                + " displaced by other cached objects; default: normal.")
    private String mode = "normal";

    @Option(
        names = "--freshness",
        paramLabel = "RULE",
        description =
            "How long these objects are served without a call to the backend: "
                + Freshness.EXPECTATION
                + "; default: as the bucket.")
    private @Nullable String freshness;

    @Override
    public Integer call() throws IOException {
      CacheRule rule = given(this::rule);
      CacheRules changed = change(present -> present.with(rule));
      boolean hasNoLongerRule =
          changed.rules().stream()
              .allMatch(other -> other.equals(rule) || !other.prefix().startsWith(prefix));
      if (rule.mode() == CacheRule.Mode.BYPASS && hasNoLongerRule) {
        new EvictionCalls(this, name).ofPrefix(prefix);
      }
      print(changed);
      return 0;
    }

    private CacheRule rule() {
      return new CacheRule(
          prefix,
          switch (mode) {
            case "normal" -> CacheRule.Mode.NORMAL;
            case "bypass" -> CacheRule.Mode.BYPASS;
            case "pin" -> CacheRule.Mode.PIN;
            default ->
                throw new IllegalArgumentException(
                    "--mode is '" + mode + "', must be normal, bypass or pin");
          },
          Optional.ofNullable(freshness).map(Freshness::parse));
    }
  }

  /** {@code bin/tarn bucket cache-rule list}. */
  @Command(
      name = "list",
      description = "List the rules of a bucket.",
      footer = "  tarn bucket cache-rule list imagenet")
  static final class Ls extends OfBucket {
    @Override
    public Integer call() throws IOException {
      print(present());
      return 0;
    }
  }

  /** {@code bin/tarn bucket cache-rule remove}. */
  @Command(
      name = "remove",
      description = {
        "Remove a rule.",
        "Objects that it pinned may be displaced from then on, as may all that is pinned in the"
            + " bucket until it is read again."
      },
      footer = "  tarn bucket cache-rule remove imagenet --prefix train/")
  static final class Remove extends OfBucket {
    @Option(
        names = "--prefix",
        required = true,
        paramLabel = "PREFIX",
        description = "The prefix of the rule.")
    private String prefix = "";

    @Override
    public Integer call() throws IOException {
      print(change(this::changed));
      return 0;
    }

    private CacheRules changed(CacheRules present) {
      CacheRules changed = present.without(prefix);
      if (changed.equals(present)) {
        throw wrongUsage(
            "bucket '" + name + "' has no rule of prefix '" + prefix + "', but: " + present);
      }
      return changed;
    }
  }
}
