package dev.tarn.cluster.control.remote;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.capability.ClusterSecrets;
import dev.tarn.cluster.capability.MessageSeal;
import dev.tarn.cluster.control.AccessKey;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.ControlCodec;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.control.User;
import dev.tarn.cluster.control.local.SnapshotFile;
import dev.tarn.fixtures.LoopbackTransport;
import dev.tarn.fixtures.MemoryControlPlane;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RemoteControlPlaneTest {
  /** A member that knows nothing yet. */
  private static final Messages.Asking STRANGER =
      new Messages.Asking(Audience.GATEWAY, "", 0, false);

  @TempDir Path directory;

  private final ControlPlane node = new MemoryControlPlane();
  private final LoopbackTransport transport = new LoopbackTransport(node);

  @BeforeEach
  void nameCluster() {
    await(node.submit(new Command.NameCluster(1, "one")));
    await(node.submit(new Command.CreateUser(1, new User("u", "alice", true))));
  }

  @Test
  void memberLearnsWhatIsThereAndEachChangeAfterIt() throws Exception {
    try (RemoteControlPlane member = gateway("member")) {
      awaitState(member, state -> state.user("u") != null);
      await(node.submit(createBucket("first")));
      awaitState(member, state -> state.bucket("first") != null);
      assertThat(member.away()).isEmpty();
    }
  }

  @Test
  void whoMadeAChangeSeesItWhenItIsAcknowledged() throws Exception {
    try (RemoteControlPlane member = gateway("member")) {
      CommandOutcome outcome = await(member.submit(createBucket("mine")));
      assertThat(outcome).isInstanceOf(CommandOutcome.Applied.class);
      assertThat(member.state().bucket("mine")).isNotNull();
      assertThat(await(member.submit(createBucket("mine"))))
          .isInstanceOfSatisfying(
              CommandOutcome.Rejected.class,
              rejected ->
                  assertThat(rejected.reason()).isEqualTo(CommandOutcome.Reason.BUCKET_EXISTS));
    }
  }

  @Test
  void whoAsksKnowsEveryChangeThatWasAcknowledgedBefore() throws Exception {
    try (RemoteControlPlane one = gateway("one");
        RemoteControlPlane other = gateway("other")) {
      for (int i = 0; i < 50; i++) {
        String bucket = "bucket-" + i;
        await(one.submit(createBucket(bucket)));
        assertThat(await(other.refresh())).isTrue();
        assertThat(other.state().bucket(bucket)).isNotNull();
      }
    }
  }

  @Test
  void targetIsToldNeitherUsersNorTheirKeys() throws Exception {
    await(node.submit(new Command.CreateAccessKey(1, new AccessKey("id", "the secret", "u", 1))));
    await(node.submit(createBucket("first")));
    try (RemoteControlPlane target = member("target", Audience.TARGET)) {
      awaitState(target, state -> state.bucket("first") != null);
      assertThat(target.state().users()).isEmpty();
      assertThat(target.state().accessKeys()).isEmpty();
    }
    Path kept = directory.resolve("target/known-state");
    assertThat(Files.readString(kept, ISO_8859_1)).contains("first").doesNotContain("secret");
  }

  @Test
  void memberGoesOnWithWhatItKnowsWhileTheNodeIsAwayAlsoAfterARestart() throws Exception {
    try (RemoteControlPlane member = gateway("member")) {
      awaitState(member, state -> state.user("u") != null);
      transport.setAway(true);
      assertThat(await(member.refresh())).isFalse();
      assertThat(member.state().user("u")).isNotNull();
      assertThat(await(member.submit(createBucket("late"))))
          .isInstanceOfSatisfying(
              CommandOutcome.Unavailable.class,
              unavailable ->
                  assertThat(unavailable.message())
                      .contains("the control plane takes no changes now", "loopback is away"));
    }
    try (RemoteControlPlane restarted = gateway("member")) {
      assertThat(restarted.isKnown()).isTrue();
      assertThat(restarted.state().user("u")).isNotNull();
      transport.setAway(false);
      await(node.submit(createBucket("later")));
      awaitState(restarted, state -> state.bucket("later") != null);
    }
  }

  @Test
  void keptStateIsItsOwnersAlone() throws Exception {
    try (RemoteControlPlane member = gateway("member")) {
      awaitState(member, state -> state.user("u") != null);
    }
    Path kept = directory.resolve("member/known-state");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept.getParent())))
        .isEqualTo("rwx------");
  }

  @Test
  void commandWhoseAnswerWasLostIsUnconfirmed() throws Exception {
    CompletableFuture<Boolean> lost = new CompletableFuture<>();
    ControlPlane silent = new NeverAnswers(node, lost);
    LoopbackTransport toSilent = new LoopbackTransport(silent);
    try (RemoteControlPlane member = toSilent.member(directory.resolve("m"), Audience.GATEWAY)) {
      CompletableFuture<CommandOutcome> outcome =
          member.submit(createBucket("doubtful")).toCompletableFuture();
      lost.get(30, TimeUnit.SECONDS);
      toSilent.setAway(true);
      assertThat(await(outcome))
          .isInstanceOfSatisfying(
              CommandOutcome.Unconfirmed.class,
              unconfirmed -> assertThat(unconfirmed.message()).contains("gave no answer"));
    }
  }

  @Test
  void nodeOfAnotherClusterMakesNobodyForget() throws Exception {
    gateway("member").close();
    try (RemoteControlPlane member = gateway("member")) {
      awaitState(member, state -> state.user("u") != null);
    }
    ControlPlane empty = new MemoryControlPlane();
    await(empty.submit(new Command.NameCluster(1, "two")));
    for (int i = 0; i < 10; i++) {
      await(empty.submit(new Command.CreateUser(1, new User("x" + i, "x" + i, true))));
    }
    try (RemoteControlPlane member =
        new LoopbackTransport(empty).member(directory.resolve("member"), Audience.GATEWAY)) {
      assertThat(await(member.refresh())).isFalse();
      assertThat(member.state().user("u")).isNotNull();
      assertThat(member.state().user("x1")).isNull();
    }
  }

  @Test
  void nodeThatForgotWhatItAcknowledgedMakesNobodyForget() throws Exception {
    await(node.submit(createBucket("acknowledged")));
    try (RemoteControlPlane member = gateway("member")) {
      awaitState(member, state -> state.bucket("acknowledged") != null);
    }
    ControlPlane older = new MemoryControlPlane();
    await(older.submit(new Command.NameCluster(1, "one")));
    try (RemoteControlPlane member =
        new LoopbackTransport(older).member(directory.resolve("member"), Audience.GATEWAY)) {
      assertThat(await(member.refresh())).isFalse();
      assertThat(member.state().bucket("acknowledged")).isNotNull();
    }
  }

  @Test
  void nodeThatForgotTakesNoCommandsUntilItWasSaidToBeRestored() throws Exception {
    for (int i = 0; i < 5; i++) {
      await(node.submit(createBucket("lost-" + i)));
    }
    long lostId;
    try (RemoteControlPlane member = gateway("member")) {
      awaitState(member, state -> state.bucket("lost-4") != null);
      lostId = requireNonNull(member.state().bucket("lost-4")).id().value();
    }
    ControlPlane older = new MemoryControlPlane();
    await(older.submit(new Command.NameCluster(1, "one")));
    await(older.submit(new Command.CreateUser(1, new User("u", "alice", true))));
    LoopbackTransport toOlder = new LoopbackTransport(older);
    try (RemoteControlPlane member = toOlder.member(directory.resolve("member"), Audience.GATEWAY);
        RemoteControlPlane fresh = toOlder.member(directory.resolve("fresh"), Audience.GATEWAY)) {
      assertThat(await(member.refresh())).isFalse();
      assertThat(await(fresh.submit(createBucket("new"))))
          .isInstanceOfSatisfying(
              CommandOutcome.Unavailable.class,
              unavailable ->
                  assertThat(unavailable.message())
                      .contains("restored from a copy", "tarn cluster restored"));

      assertThat(await(member.submit(new Command.Restore(1, 0))))
          .isInstanceOf(CommandOutcome.Applied.class);
      assertThat(member.state().bucket("lost-4")).isNull();
      await(fresh.submit(createBucket("new")));
      assertThat(requireNonNull(fresh.state().bucket("new")).id().value()).isGreaterThan(lostId);
    }
  }

  @Test
  void memberAndNodeOfAnotherVersionAreToldWhichToUpdate() throws Exception {
    MessageSeal seal = new MessageSeal(ClusterSecrets.of(new byte[32]), InstantSource.system());
    byte[] newer = new Messages.CommandRequest(STRANGER, createBucket("new")).encode();
    newer[0]++;
    try (ControlService service =
        new ControlService(
            new GuardedControlPlane(node), seal, InstantSource.system(), Runnable::run)) {
      ControlTransport.Answer answer =
          await(
              service.answer(
                  ControlBinding.COMMAND_PATH,
                  seal.sealRequest(ControlBinding.COMMAND_PATH, newer).bytes()));
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.bytes())
          .asString(UTF_8)
          .isEqualTo(
              "command request has control version 3, its reader speaks 2; update the older"
                  + " process of the two\n");
      assertThat(node.state().bucket("new")).isNull();
    }
    byte[] older = Messages.encode(ControlCodec.CHANGE, node.state().since(0));
    older[0]--;
    assertThatThrownBy(() -> Messages.decode(ControlCodec.CHANGE, older))
        .hasMessageStartingWith("state change has control version 1, its reader speaks 2;");
  }

  @Test
  void commandSealedBeforeTheNodeBeganIsNotCarriedOut() throws Exception {
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    ClusterSecrets secrets = ClusterSecrets.of(new byte[32]);
    MessageSeal earlier = new MessageSeal(secrets, InstantSource.fixed(now.minusSeconds(60)));
    InstantSource clock = InstantSource.fixed(now);
    MessageSeal seal = new MessageSeal(secrets, clock);
    try (ControlService service =
        new ControlService(new GuardedControlPlane(node), seal, clock, Runnable::run)) {
      byte[] recorded =
          earlier
              .sealRequest(
                  ControlBinding.COMMAND_PATH,
                  new Messages.CommandRequest(STRANGER, createBucket("old")).encode())
              .bytes();
      assertThat(await(service.answer(ControlBinding.COMMAND_PATH, recorded)).status())
          .isEqualTo(403);
      assertThat(node.state().bucket("old")).isNull();
    }
  }

  @Test
  void unreadableKnownStateIsPutAsideAndAskedForAgain() throws Exception {
    try (RemoteControlPlane member = gateway("member")) {
      awaitState(member, state -> state.user("u") != null);
    }
    Path kept = directory.resolve("member/known-state");
    Files.writeString(kept, "not a state");
    try (RemoteControlPlane member = gateway("member")) {
      awaitState(member, state -> state.user("u") != null);
      assertThat(directory.resolve("member/known-state.unreadable")).hasContent("not a state");
    }
  }

  @Test
  void stateThatWasKeptIsReceivedOnceMore() throws Exception {
    ControlPlane incomplete = new MemoryControlPlane();
    await(incomplete.submit(new Command.NameCluster(1, "one")));
    await(incomplete.submit(new Command.CreateUser(1, new User("v", "bob", true))));
    assertThat(incomplete.state().version()).isEqualTo(node.state().version());
    KeptState kept = KeptState.in(directory.resolve("member"));
    SnapshotFile.write(kept.file(), incomplete.state());

    try (RemoteControlPlane member = gateway("member")) {
      awaitState(member, state -> state.user("u") != null);
    }
    assertThat(kept.read(new LoopbackTransport.Silent()).user("u")).isNotNull();
  }

  @Test
  void recordedCommandSentAgainIsNotCarriedOutAgain() throws Exception {
    InstantSource clock = InstantSource.system();
    MessageSeal seal = new MessageSeal(ClusterSecrets.of(new byte[32]), clock);
    try (ControlService service =
        new ControlService(new GuardedControlPlane(node), seal, clock, Runnable::run)) {
      Command command = new Command.CreateAccessKey(1, new AccessKey("id", "the secret", "u", 1));
      byte[] recorded =
          seal.sealRequest(
                  ControlBinding.COMMAND_PATH,
                  new Messages.CommandRequest(STRANGER, command).encode())
              .bytes();
      assertThat(await(service.answer(ControlBinding.COMMAND_PATH, recorded)).status())
          .isEqualTo(200);
      await(node.submit(new Command.DeleteAccessKey(1, "id")));
      assertThat(await(service.answer(ControlBinding.COMMAND_PATH, recorded)).status())
          .isEqualTo(403);
      assertThat(node.state().accessKey("id")).isNull();
    }
  }

  @Test
  void strangerIsToldNothing() throws Exception {
    InstantSource clock = InstantSource.system();
    MessageSeal strangers =
        new MessageSeal(
            ClusterSecrets.of("of another cluster, and long enough".getBytes(ISO_8859_1)), clock);
    MessageSeal seal = new MessageSeal(ClusterSecrets.of(new byte[32]), clock);
    try (ControlService service =
        new ControlService(new GuardedControlPlane(node), seal, clock, Runnable::run)) {
      byte[] question =
          strangers
              .sealRequest(
                  ControlBinding.STATE_PATH, new Messages.StateRequest(STRANGER, 0).encode())
              .bytes();
      assertThat(await(service.answer(ControlBinding.STATE_PATH, question)).status())
          .isEqualTo(403);
      assertThat(await(service.answer(ControlBinding.STATE_PATH, new byte[0])).status())
          .isEqualTo(403);
      assertThat(await(service.answer("/elsewhere", question)).status()).isEqualTo(404);
    }
  }

  private RemoteControlPlane gateway(String name) throws Exception {
    return member(name, Audience.GATEWAY);
  }

  private RemoteControlPlane member(String name, Audience audience) throws Exception {
    return transport.member(directory.resolve(name), audience);
  }

  private static Command createBucket(String name) {
    return new Command.CreateBucket(1, name, "u", BucketSettings.PRIMARY);
  }

  private static void awaitState(ControlPlane plane, Predicate<ControlState> wanted) {
    CompletableFuture<ControlState> seen = new CompletableFuture<>();
    try (ControlPlane.Watch watch =
        plane.watch(state -> {
          if (wanted.test(state)) {
            seen.complete(state);
          }
        })) {
      assertThat(watch).isNotNull();
      assertThat(await(seen)).isNotNull();
    }
  }

  private static <T> T await(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
  }

  /** Takes commands and says nothing of what became of them. */
  private record NeverAnswers(ControlPlane plane, CompletableFuture<Boolean> asked)
      implements ControlPlane {
    @Override
    public ControlState state() {
      return plane.state();
    }

    @Override
    public CompletionStage<Boolean> refresh() {
      return plane.refresh();
    }

    @Override
    public CompletionStage<CommandOutcome> submit(Command command) {
      asked.complete(true);
      return new CompletableFuture<>();
    }

    @Override
    public Watch watch(Consumer<ControlState> listener) {
      return plane.watch(listener);
    }
  }
}
