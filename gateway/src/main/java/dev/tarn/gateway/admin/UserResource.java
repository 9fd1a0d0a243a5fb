package dev.tarn.gateway.admin;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.control.User;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** Users. */
record UserResource(Commands commands, Identities identities) {
  UserResource {
    requireNonNull(commands, "commands is null");
    requireNonNull(identities, "identities is null");
  }

  AdminAnswer list(AdminCall call) {
    JsonArray users = new JsonArray();
    commands.state().users().forEach(user -> users.add(document(user)));
    return AdminAnswer.ok(new JsonObject().put("users", users));
  }

  AdminAnswer create(AdminCall call) {
    call.fields().allow("name", "admin");
    User user;
    try {
      user =
          new User(
              identities.userId(), call.fields().text("name"), call.fields().truth("admin", false));
    } catch (IllegalArgumentException e) {
      throw AdminProblem.wrongRequest(String.valueOf(e.getMessage()));
    }
    commands.run(new Command.CreateUser(commands.nowMs(), user));
    return AdminAnswer.created(document(user));
  }

  AdminAnswer delete(AdminCall call) {
    User user = named(commands, call.name());
    if (user.id().equals(call.user().id())) {
      throw AdminProblem.conflict("OwnUser", "no user can delete itself; let another admin do it");
    }
    commands.run(new Command.DeleteUser(commands.nowMs(), user.id()));
    return AdminAnswer.ok(new JsonObject().put("deleted", user.name()));
  }

  static User named(Commands commands, String name) {
    return commands
        .find(state -> named(state, name))
        .orElseThrow(() -> AdminProblem.notFound("there is no user '" + name + "'"));
  }

  private static @Nullable User named(ControlState state, String name) {
    return state.users().stream().filter(user -> user.name().equals(name)).findFirst().orElse(null);
  }

  private static JsonObject document(User user) {
    return new JsonObject()
        .put("name", user.name())
        .put("id", user.id())
        .put("admin", user.admin());
  }
}
