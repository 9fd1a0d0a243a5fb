package dev.tarn.cluster.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.control.CommandOutcome.Reason;
import dev.tarn.cluster.control.CommandOutcome.Rejected;
import dev.tarn.cluster.object.BucketId;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StateMachineTest {
  private static final User ALICE = new User("u1", "alice", true);
  private static final User BOB = new User("u2", "bob", false);

  private ControlState state = StateMachine.empty();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void sameCommandsLeadToTheSameSnapshotBytes(long seed) {
    assertThat(ControlCodec.STATE.encode(after(seed, 2_000)))
        .isEqualTo(ControlCodec.STATE.encode(after(seed, 2_000)));
  }

  @ParameterizedTest
  @ValueSource(longs = {4, 5, 6})
  void snapshotTakenAnywhereAndContinuedLeadsToTheSameBytes(long seed) throws IOException {
    RandomCommands commands = new RandomCommands(seed);
    ControlState direct = StateMachine.empty();
    ControlState reloaded = StateMachine.empty();
    for (int i = 0; i < 500; i++) {
      Command command = ControlCodec.COMMAND.decode(ControlCodec.COMMAND.encode(commands.next()));
      direct = StateMachine.apply(direct, command).state();
      reloaded = ControlCodec.STATE.decode(ControlCodec.STATE.encode(reloaded));
      reloaded = StateMachine.apply(reloaded, command).state();
    }
    assertThat(ControlCodec.STATE.encode(reloaded)).isEqualTo(ControlCodec.STATE.encode(direct));
  }

  /** Whatever was changed before: each part, alone and beside the others. */
  @ParameterizedTest
  @ValueSource(longs = {7, 8, 9})
  void configurationOfABucketComesBackAsItWent(long seed) throws IOException {
    RandomCommands commands = new RandomCommands(seed);
    apply(new Command.CreateUser(1, ALICE));
    apply(new Command.CreateBucket(2, "data", "u1", BucketSettings.PRIMARY));
    BucketId id = state.buckets().iterator().next().id();
    for (int i = 0; i < 300; i++) {
      Command change = new Command.ConfigureBucket(3, "data", id, commands.change());
      state = StateMachine.apply(state, change).state();
      assertThat(ControlCodec.STATE.decode(ControlCodec.STATE.encode(state)).buckets())
          .usingRecursiveComparison()
          .isEqualTo(state.buckets());
    }
  }

  @Test
  void bucketIdOfADeletedBucketIsNeverGivenAgain() {
    apply(new Command.CreateUser(1, ALICE));
    apply(new Command.CreateBucket(2, "data", "u1", BucketSettings.PRIMARY));
    apply(new Command.DeleteBucket(3, "data", Optional.empty()));
    apply(new Command.CreateBucket(4, "data", "u1", BucketSettings.PRIMARY));
    assertThat(state.buckets()).extracting(Bucket::id).containsExactly(new BucketId(2));
    assertThat(state.bucket(new BucketId(1))).isNull();
  }

  @Test
  void settingsVersionIsTheStateVersionOfTheLastChange() {
    apply(new Command.CreateUser(1, ALICE));
    apply(new Command.CreateBucket(2, "data", "u1", BucketSettings.PRIMARY));
    assertThat(state.buckets()).extracting(Bucket::settingsVersion).containsExactly(2L);
    apply(new Command.SetBucket(3, "data", Optional.empty(), BucketSettings.PRIMARY, 0));
    assertThat(state.buckets()).extracting(Bucket::settingsVersion).containsExactly(3L);
  }

  @Test
  void changeOfAnotherVersionOfTheSettingsIsRejected() {
    apply(new Command.CreateUser(1, ALICE));
    apply(new Command.CreateBucket(2, "data", "u1", BucketSettings.PRIMARY));
    BucketSettings open = BucketSettings.PRIMARY.withAnonymousRead(true);
    apply(new Command.SetBucket(3, "data", Optional.empty(), open, 2));

    rejects(
        Reason.BUCKET_CHANGED,
        new Command.SetBucket(4, "data", Optional.empty(), BucketSettings.PRIMARY, 2));
    assertThat(state.buckets()).extracting(Bucket::settings).containsExactly(open);
    apply(new Command.SetBucket(5, "data", Optional.empty(), BucketSettings.PRIMARY, 3));
  }

  @Test
  void deletionEndsWithTheBucketOrWithoutItOnlyUnderItsOwnVersion() {
    apply(new Command.CreateUser(1, ALICE));
    apply(new Command.CreateBucket(2, "data", "u1", BucketSettings.PRIMARY));
    BucketId id = new BucketId(1);
    rejects(Reason.DELETION_ENDED, new Command.KeepBucket(3, "data", id, 2));
    rejects(Reason.DELETION_ENDED, new Command.DeleteBucket(3, "data", Optional.of(id), 2));
    rejects(Reason.NO_SUCH_BUCKET, new Command.BeginDeletion(3, "data", new BucketId(2)));

    apply(new Command.BeginDeletion(4, "data", id));
    assertThat(state.buckets())
        .extracting(Bucket::deletion)
        .containsExactly(Optional.of(new Bucket.Deletion(3, 4)));
    assertThat(state.buckets()).extracting(Bucket::settingsVersion).containsExactly(3L);
    apply(new Command.SetBucket(5, "data", Optional.empty(), BucketSettings.PRIMARY, 0));
    apply(new Command.BeginDeletion(6, "data", id));
    rejects(Reason.DELETION_ENDED, new Command.KeepBucket(7, "data", id, 3));
    rejects(Reason.DELETION_ENDED, new Command.DeleteBucket(7, "data", Optional.of(id), 3));

    apply(new Command.KeepBucket(7, "data", id, 5));
    assertThat(state.buckets()).extracting(Bucket::deletion).containsExactly(Optional.empty());
    assertThat(state.buckets()).extracting(Bucket::settingsVersion).containsExactly(6L);
    rejects(Reason.DELETION_ENDED, new Command.DeleteBucket(8, "data", Optional.of(id), 5));

    apply(new Command.BeginDeletion(9, "data", id));
    apply(new Command.DeleteBucket(9, "data", Optional.of(id), 7));
    assertThat(state.buckets()).isEmpty();
  }

  @Test
  void whatContradictsTheStateIsRejectedAndChangesNothing() {
    apply(new Command.CreateUser(1, ALICE));
    apply(new Command.CreateUser(2, BOB));
    apply(new Command.CreateBucket(3, "data", "u1", BucketSettings.PRIMARY));
    apply(new Command.CreateAccessKey(4, new AccessKey("AK", "the secret", "u2", 4)));

    rejects(
        Reason.BUCKET_EXISTS, new Command.CreateBucket(5, "data", "u1", BucketSettings.PRIMARY));
    rejects(
        Reason.INVALID_BUCKET_NAME,
        new Command.CreateBucket(5, "Data", "u1", BucketSettings.PRIMARY));
    rejects(Reason.NO_SUCH_USER, new Command.CreateBucket(5, "new", "u9", BucketSettings.PRIMARY));
    rejects(
        Reason.NO_SUCH_BUCKET,
        new Command.SetBucket(5, "none", Optional.empty(), BucketSettings.PRIMARY, 0));
    rejects(Reason.NO_SUCH_BUCKET, new Command.DeleteBucket(5, "none", Optional.empty()));
    rejects(Reason.USER_EXISTS, new Command.CreateUser(5, new User("u9", "bob", false)));
    rejects(Reason.USER_EXISTS, new Command.CreateUser(5, new User("u2", "new", false)));
    rejects(Reason.NO_SUCH_USER, new Command.DeleteUser(5, "u9"));
    rejects(Reason.USER_OWNS_BUCKETS, new Command.DeleteUser(5, "u1"));
    rejects(
        Reason.ACCESS_KEY_EXISTS,
        new Command.CreateAccessKey(5, new AccessKey("AK", "the other", "u1", 5)));
    rejects(
        Reason.NO_SUCH_USER,
        new Command.CreateAccessKey(5, new AccessKey("AK2", "the other", "u9", 5)));
    rejects(Reason.NO_SUCH_ACCESS_KEY, new Command.DeleteAccessKey(5, "AK9"));
    rejects(Reason.NO_SUCH_ACCESS_KEY, new Command.SwitchAccessKey(5, "AK9", false));
  }

  @Test
  void disabledAccessKeyKeepsItsSecretAndIsEnabledAgain() {
    AccessKey key = new AccessKey("AK", "the secret", "u2", 2);
    apply(new Command.CreateUser(1, BOB));
    apply(new Command.CreateAccessKey(2, key));
    apply(new Command.SwitchAccessKey(3, "AK", false));
    assertThat(state.accessKeys()).containsExactly(key.withActive(false));
    apply(new Command.SwitchAccessKey(4, "AK", true));
    assertThat(state.accessKeys()).containsExactly(key);
  }

  @Test
  void deletedUserLeavesNoAccessKeyBehind() {
    apply(new Command.CreateUser(1, BOB));
    apply(new Command.CreateAccessKey(2, new AccessKey("AK1", "the secret", "u2", 2)));
    apply(new Command.CreateAccessKey(3, new AccessKey("AK2", "the secret", "u2", 3)));
    apply(new Command.DeleteUser(4, "u2"));
    assertThat(state.accessKeys()).isEmpty();
    assertThat(state.users()).isEmpty();
  }

  @Test
  void snapshotCutAnywhereOrLengthenedIsRefused() {
    byte[] snapshot = ControlCodec.STATE.encode(after(7, 100));
    int dense = 4_096; // The slots of the map between both ends are alike.
    for (int length = 0;
        length < snapshot.length;
        length += length < dense || length > snapshot.length - dense ? 1 : 61) {
      byte[] cut = Arrays.copyOf(snapshot, length);
      assertThatThrownBy(() -> ControlCodec.STATE.decode(cut)).isInstanceOf(IOException.class);
    }
    byte[] longer = Arrays.copyOf(snapshot, snapshot.length + 1);
    assertThatThrownBy(() -> ControlCodec.STATE.decode(longer))
        .hasMessage("control state: 1 bytes follow the message");
  }

  private static ControlState after(long seed, int count) {
    RandomCommands commands = new RandomCommands(seed);
    ControlState state = StateMachine.empty();
    for (int i = 0; i < count; i++) {
      state = StateMachine.apply(state, commands.next()).state();
    }
    return state;
  }

  private void apply(Command command) {
    StateMachine.Transition transition = StateMachine.apply(state, command);
    assertThat(transition.outcome()).isEqualTo(new CommandOutcome.Applied(state.version() + 1));
    state = transition.state();
  }

  private void rejects(Reason reason, Command command) {
    StateMachine.Transition transition = StateMachine.apply(state, command);
    assertThat(transition.outcome())
        .isInstanceOfSatisfying(
            Rejected.class, rejected -> assertThat(rejected.reason()).isEqualTo(reason));
    assertThat(transition.state()).isSameAs(state);
  }
}
