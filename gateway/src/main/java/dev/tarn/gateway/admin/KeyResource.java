package dev.tarn.gateway.admin;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.AccessKey;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.User;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Optional;

/** Key pairs. The secret is shown only once, in the answer that creates the pair. */
record KeyResource(Commands commands, Identities identities) {
  private static final String ACTIVE = "active";

  KeyResource {
    requireNonNull(commands, "commands is null");
    requireNonNull(identities, "identities is null");
  }

  AdminAnswer list(AdminCall call) {
    JsonArray keys = new JsonArray();
    commands.state().accessKeys().forEach(key -> keys.add(document(key)));
    return AdminAnswer.ok(new JsonObject().put("keys", keys));
  }

  AdminAnswer create(AdminCall call) {
    call.fields().allow("user", "id", "secret");
    User user = UserResource.named(commands, call.fields().text("user"));
    AccessKey key = key(user, call.fields());
    commands.run(new Command.CreateAccessKey(commands.nowMs(), key));
    return AdminAnswer.created(document(key).put("secret", key.secret()));
  }

  private AccessKey key(User user, Fields fields) {
    AccessKey drawn = identities.accessKey(user.id(), commands.nowMs());
    Optional<String> secret = fields.optionalText("secret");
    try {
      return new AccessKey(
          fields.optionalText("id").orElse(drawn.id()),
          secret.orElse(drawn.secret()),
          user.id(),
          drawn.createdMs());
    } catch (IllegalArgumentException e) {
      throw AdminProblem.wrongRequest(String.valueOf(e.getMessage()));
    }
  }

  /** Disables a key pair, or makes it active again. */
  AdminAnswer set(AdminCall call) {
    call.fields().allow(ACTIVE);
    boolean active =
        call.fields()
            .optionalTruth(ACTIVE)
            .orElseThrow(
                () -> AdminProblem.wrongRequest("the field 'active' is missing: true or false"));
    commands.run(new Command.SwitchAccessKey(commands.nowMs(), call.name(), active));
    AccessKey key = commands.state().accessKey(call.name());
    if (key == null) {
      throw AdminProblem.wrongRequest("access key '" + call.name() + "' was deleted meanwhile");
    }
    return AdminAnswer.ok(document(key));
  }

  AdminAnswer delete(AdminCall call) {
    commands.run(new Command.DeleteAccessKey(commands.nowMs(), call.name()));
    return AdminAnswer.ok(new JsonObject().put("deleted", call.name()));
  }

  private JsonObject document(AccessKey key) {
    User user = commands.state().user(key.userId());
    return new JsonObject()
        .put("id", key.id())
        .put("user", user == null ? key.userId() : user.name())
        .put("created", Instant.ofEpochMilli(key.createdMs()).toString())
        .put(ACTIVE, key.active());
  }
}
