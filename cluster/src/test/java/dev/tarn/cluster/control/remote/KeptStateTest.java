package dev.tarn.cluster.control.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.ControlCodec;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.control.StateMachine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KeptStateTest {
  private static final int VERSION_OFFSET = 8;

  @TempDir private Path directory;

  @Test
  void stateOfAnUnknownFormatVersionIsForgottenByNameAndPutAside() throws IOException {
    KeptState kept = KeptState.in(directory);
    kept.write(StateMachine.empty());
    byte[] bytes = Files.readAllBytes(kept.file());
    ByteBuffer.wrap(bytes).putInt(VERSION_OFFSET, 99);
    Files.write(kept.file(), bytes);

    Forgotten listener = new Forgotten();
    ControlState read = kept.read(listener).state();

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
