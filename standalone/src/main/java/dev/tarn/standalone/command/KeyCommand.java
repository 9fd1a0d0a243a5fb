package dev.tarn.standalone.command;

import dev.tarn.standalone.node.KeyPair;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bin/tarn key}. */
@Command(
    name = "key",
    mixinStandardHelpOptions = true,
    description = "Manage key pairs of users.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      KeyCommand.Create.class,
      KeyCommand.Ls.class,
      KeyCommand.Disable.class,
      KeyCommand.Enable.class,
      KeyCommand.Delete.class
    })
final class KeyCommand {
  private static final String KEYS = "/keys";

  /** {@code bin/tarn key create}. */
  @Command(
      name = "create",
      description = "Create a key pair. The secret key is shown only once.",
      footer = "  tarn key create alice")
  static final class Create extends AdminCommand implements Callable<Integer> {
    @Parameters(paramLabel = "USER", description = "User of the new key pair.")
    private String user = "";

    @Option(
        names = "--from",
        paramLabel = "FILE",
        description = "Use the key pair in this file (as aws-cli writes it) instead of a new one.")
    private @Nullable Path from;

    @Override
    public Integer call() throws IOException {
      JsonObject document = new JsonObject().put("user", user);
      if (from != null) {
        Path file = from;
        KeyPair pair = given(() -> KeyPair.requiredIn(file, "--from"));
        document.put("id", pair.accessKey()).put("secret", pair.secretKey());
      }
      printer().document(call("POST", KEYS, document));
      return 0;
    }
  }

  /** {@code bin/tarn key list}. */
  @Command(
      name = "list",
      description = "List all key pairs, without secret keys.",
      footer = "  tarn key list")
  static final class Ls extends AdminCommand implements Callable<Integer> {
    @Override
    public Integer call() throws IOException {
      printer().table(call("GET", KEYS, null), "keys", "id", "user", "created", "active");
      return 0;
    }
  }

  /** {@code bin/tarn key disable}. */
  @Command(
      name = "disable",
      description = "Disable a key pair: its requests are refused until it is enabled again.",
      footer = "  tarn key disable AKIAIOSFODNN7EXAMPLE")
  static final class Disable extends Switching {
    Disable() {
      super(false);
    }
  }

  /** {@code bin/tarn key enable}. */
  @Command(
      name = "enable",
      description = "Enable a key pair that was disabled.",
      footer = "  tarn key enable AKIAIOSFODNN7EXAMPLE")
  static final class Enable extends Switching {
    Enable() {
      super(true);
    }
  }

  /** Makes a key pair active or disables it. */
  abstract static class Switching extends AdminCommand implements Callable<Integer> {
    private final boolean active;

    @Parameters(paramLabel = "ID", description = "Access key id.")
    private String id = "";

    Switching(boolean active) {
      this.active = active;
    }

    @Override
    public Integer call() throws IOException {
      JsonObject change = new JsonObject().put("active", active);
      printer().document(call("PATCH", KEYS + segment(id), change));
      return 0;
    }
  }

  /** {@code bin/tarn key delete}. */
  @Command(
      name = "delete",
      description = "Delete a key pair.",
      footer = "  tarn key delete AKIAIOSFODNN7EXAMPLE")
  static final class Delete extends AdminCommand implements Callable<Integer> {
    @Parameters(paramLabel = "ID", description = "Access key id.")
    private String id = "";

    @Override
    public Integer call() throws IOException {
      printer().document(call("DELETE", KEYS + segment(id), null));
      return 0;
    }
  }
}
