package dev.tarn.standalone.command;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bin/tarn user}. */
@Command(
    name = "user",
    mixinStandardHelpOptions = true,
    description = "Manage users.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {UserCommand.Create.class, UserCommand.Ls.class, UserCommand.Delete.class})
final class UserCommand {
  private static final String USERS = "/users";

  /** {@code bin/tarn user create}. */
  @Command(
      name = "create",
      description = "Create a user without a key pair.",
      footer = "  tarn user create alice")
  static final class Create extends AdminCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "Name of the new user.")
    private String name = "";

    @Option(names = "--admin", description = "The user may use the admin API and see all buckets.")
    private boolean admin;

    @Override
    public Integer call() throws IOException {
      JsonObject document = new JsonObject().put("name", name).put("admin", admin);
      printer().document(call("POST", USERS, document));
      return 0;
    }
  }

  /** {@code bin/tarn user list}. */
  @Command(name = "list", description = "List all users.", footer = "  tarn user list")
  static final class Ls extends AdminCommand implements Callable<Integer> {
    @Override
    public Integer call() throws IOException {
      printer().table(call("GET", USERS, null), "users", "name", "id", "admin");
      return 0;
    }
  }

  /** {@code bin/tarn user delete}. */
  @Command(
      name = "delete",
      description = "Delete a user who owns no bucket, and the user's key pairs.",
      footer = "  tarn user delete alice")
  static final class Delete extends AdminCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "Name of the user.")
    private String name = "";

    @Override
    public Integer call() throws IOException {
      printer().document(call("DELETE", USERS + segment(name), null));
      return 0;
    }
  }
}
