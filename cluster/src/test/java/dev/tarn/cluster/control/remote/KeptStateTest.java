package dev.tarn.cluster.control.remote;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.AccessControls.PublicAccessBlock;
import dev.tarn.cluster.control.BucketChange;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.ControlCodec;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.control.StateMachine;
import dev.tarn.cluster.control.User;
import dev.tarn.cluster.control.local.SnapshotFile;
import dev.tarn.cluster.object.AccessList;
import dev.tarn.cluster.object.BucketId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KeptStateTest {
  private static final int VERSION_OFFSET = 8;
  private static final int TAG_SHIFT = 3;
  private static final int REQUIRED = 4;
  private static final int MESSAGE = 3;

  @TempDir private Path directory;

  @Test
  void stateOfAnUnknownFormatVersionIsForgottenByNameAndPutAside() throws IOException {
    KeptState kept = KeptState.in(directory);
    kept.write(StateMachine.empty());
    byte[] bytes = Files.readAllBytes(kept.file());
    ByteBuffer.wrap(bytes).putInt(VERSION_OFFSET, 99);
    Files.write(kept.file(), bytes);

    Forgotten listener = new Forgotten();
    ControlState read = kept.read(listener);

    assertThat(read.version()).isZero();
    assertThat(listener.reasons)
        .containsExactly(
            kept.file()
                + " has format version 99, this program reads "
                + ControlCodec.FORMAT_VERSION
                + "; start the version of Tarn that wrote it");
    assertThat(directory.resolve("known-state.unreadable")).hasBinaryContent(bytes);
    assertThat(kept.file()).doesNotExist();
  }

  @Test
  void bucketWithAnAclOfANewerReleaseIsNotRead() throws IOException {
    assertForgotten(
        change(new BucketChange.SetAcl(AccessList.AUTHENTICATED_READ)),
        "READ=+".getBytes(ISO_8859_1),
        "LEAD=+".getBytes(ISO_8859_1),
        "the permission LEAD is not known; update this process");
  }

  @Test
  void bucketWithAccessControlsOfANewerReleaseIsNotRead() throws IOException {
    PublicAccessBlock block = new PublicAccessBlock(true, true, true, true);
    byte blocks = 1 << TAG_SHIFT | MESSAGE;
    assertForgotten(
        change(new BucketChange.SetPublicAccessBlock(Optional.of(block))),
        new byte[] {7 << TAG_SHIFT | REQUIRED | MESSAGE, blocks},
        new byte[] {15 << TAG_SHIFT | REQUIRED | MESSAGE, blocks},
        "field 15 is required and not known to this release; update this process");
  }

  private static ControlState change(BucketChange change) {
    ControlState state = StateMachine.empty();
    List<Command> commands =
        List.of(
            new Command.CreateUser(1, new User("u1", "alice", false)),
            new Command.CreateBucket(2, "data", "u1", BucketSettings.PRIMARY),
            new Command.ConfigureBucket(3, "data", new BucketId(1), change));
    for (Command command : commands) {
      state = StateMachine.apply(state, command).state();
    }
    return state;
  }

  /** Keeps the state with these bytes replaced, as a newer release would have written them. */
  private void assertForgotten(ControlState state, byte[] known, byte[] newer, String reason)
      throws IOException {
    byte[] bytes = ControlCodec.STATE.encode(state);
    String text = new String(bytes, ISO_8859_1);
    String from = new String(known, ISO_8859_1);
    assertThat(text.split(Pattern.quote(from), -1)).hasSize(2);
    byte[] changed = text.replace(from, new String(newer, ISO_8859_1)).getBytes(ISO_8859_1);
    KeptState kept = KeptState.in(directory);
    SnapshotFile.write(kept.file(), changed, state.version());

    Forgotten listener = new Forgotten();
    assertThat(kept.read(listener).buckets()).isEmpty();
    assertThat(listener.reasons)
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains("bucket configuration: ", reason);
  }

  private static final class Forgotten implements ControlListener {
    private final List<String> reasons = new ArrayList<>();

    @Override
    public void away(String reason) {}

    @Override
    public void followed() {}

    @Override
    public void forgot(Exception reason, Path unreadable) {
      reasons.add(String.valueOf(reason.getMessage()));
    }

    @Override
    public void notKept(Exception reason) {}
  }
}
