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
    description = "Key pairs of users.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {KeyCommand.Create.class, KeyCommand.Ls.class, KeyCommand.Delete.class})
final class KeyCommand {
  private static final String KEYS = "/keys";

  /** {@code bin/tarn key create}. */
  @Command(name = "create", description = "Make a key pair; its secret is shown only now.")
  static final class Create extends AdminCommand implements Callable<Integer> {
    @Parameters(paramLabel = "USER", description = "Whose it is.")
    private String user = "";

    @Option(
        names = "--from",
        paramLabel = "FILE",
        description = "Take the pair in this file, in aws-cli's form, instead of a new one.")
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
  @Command(name = "list", description = "List all key pairs, without their secrets.")
  static final class Ls extends AdminCommand implements Callable<Integer> {
    @Override
    public Integer call() throws IOException {
      printer().table(call("GET", KEYS, null), "keys", "id", "user", "created");
      return 0;
    }
  }

  /** {@code bin/tarn key delete}. */
  @Command(name = "delete", description = "Remove a key pair.")
  static final class Delete extends AdminCommand implements Callable<Integer> {
    @Parameters(paramLabel = "ID", description = "Its access key id.")
    private String id = "";

    @Override
    public Integer call() throws IOException {
      printer().document(call("DELETE", KEYS + segment(id), null));
      return 0;
    }
  }
}
