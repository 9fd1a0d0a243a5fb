package dev.tarn.standalone.node;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.AccessKey;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.control.User;
import dev.tarn.gateway.admin.Identities;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Ensures that an admin with a key pair exists: the given pair, or a generated one if no admin has
 * a pair.
 */
public final class FirstAdmin {
  private static final String NAME = "admin";

  private final ControlPlane control;
  private final Identities identities;
  private final InstantSource clock;

  public FirstAdmin(ControlPlane control, Identities identities, InstantSource clock) {
    this.control = requireNonNull(control, "control is null");
    this.identities = requireNonNull(identities, "identities is null");
    this.clock = requireNonNull(clock, "clock is null");
  }

  /**
   * Ensures that an admin has a key pair.
   *
   * @param given the pair from the environment; it replaces the secret of an existing key
   * @param credentialsFile the file for a generated pair
   * @return the pair that this call generated
   * @throws StartFailure if the given key belongs to a user who is no admin, if the pair is
   *     invalid, or if the file or the control plane does not take it
   */
  public Optional<KeyPair> ensure(Optional<KeyPair> given, Path credentialsFile)
      throws StartFailure {
    if (given.isPresent()) {
      ensure(given.orElseThrow());
      return Optional.empty();
    }
    if (anAdminHasAPair()) {
      return Optional.empty();
    }
    AccessKey made = identities.accessKey(admin().id(), clock.millis());
    KeyPair pair = new KeyPair(made.id(), made.secret());
    try {
      // Written before the command: after a crash in between the next start replaces the file.
      pair.writeTo(credentialsFile);
    } catch (IOException e) {
      throw new StartFailure("writing " + credentialsFile + " failed: " + e.getMessage(), e);
    }
    submit(new Command.CreateAccessKey(clock.millis(), made));
    return Optional.of(pair);
  }

  private void ensure(KeyPair pair) throws StartFailure {
    AccessKey present = control.state().accessKey(pair.accessKey());
    if (present != null) {
      User owner = control.state().user(present.userId());
      if (owner == null || !owner.admin()) {
        throw new StartFailure(
            "TARN_ACCESS_KEY names the key of user '"
                + (owner == null ? present.userId() : owner.name())
                + "', who is no admin; give another one");
      }
      if (present.secret().equals(pair.secretKey())) {
        return;
      }
    }
    AccessKey replacement = replacement(pair, present == null ? admin().id() : present.userId());
    if (present != null) {
      submit(new Command.DeleteAccessKey(clock.millis(), pair.accessKey()));
    }
    submit(new Command.CreateAccessKey(clock.millis(), replacement));
  }

  /**
   * The given pair as an access key. Checked before the present key is deleted: an invalid pair
   * must not remove a valid one.
   */
  private AccessKey replacement(KeyPair pair, String userId) throws StartFailure {
    try {
      return new AccessKey(pair.accessKey(), pair.secretKey(), userId, clock.millis());
    } catch (IllegalArgumentException e) {
      throw new StartFailure("TARN_ACCESS_KEY or TARN_SECRET_KEY: " + e.getMessage(), e);
    }
  }

  private boolean anAdminHasAPair() {
    ControlState state = control.state();
    return state.accessKeys().stream()
        .filter(AccessKey::active)
        .map(key -> state.user(key.userId()))
        .anyMatch(user -> user != null && user.admin());
  }

  private User admin() throws StartFailure {
    Optional<User> present =
        control.state().users().stream().filter(user -> user.name().equals(NAME)).findFirst();
    if (present.isPresent()) {
      if (!present.orElseThrow().admin()) {
        throw new StartFailure(
            "the user '" + NAME + "' is no admin; delete it, the first admin takes this name");
      }
      return present.orElseThrow();
    }
    User user = new User(identities.userId(), NAME, true);
    submit(new Command.CreateUser(clock.millis(), user));
    return user;
  }

  private void submit(Command command) throws StartFailure {
    CommandOutcome outcome = control.submit(command).toCompletableFuture().join();
    if (!(outcome instanceof CommandOutcome.Applied)) {
      throw new StartFailure("the control plane refused the first admin: " + outcome);
    }
  }
}
