package dev.tarn.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.control.AnnouncedTarget;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.fixtures.MemoryControlPlane;
import dev.tarn.standalone.config.ConfigBinder;
import dev.tarn.standalone.config.Settings;
import dev.tarn.standalone.config.TarnConfig;
import dev.tarn.standalone.node.DataFolder;
import dev.tarn.standalone.node.StartFailure;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TargetMembershipTest {
  @TempDir private Path folder;
  private final MemoryControlPlane control = new MemoryControlPlane();

  @Test
  void targetIsReadyOnceItHasAnnouncedItself() throws Exception {
    try (DataFolder data = DataFolder.open(folder);
        OwnTarget own =
            OwnTarget.openMember(
                TarnConfig.defaults(folder), data, control, new SimpleMeterRegistry());
        TargetMembership membership = own.membership(InstantSource.system())) {
      assertThat(membership.notReady()).hasValue("no state of the control plane has arrived yet");
      submit(new Command.NameCluster(1, "c1"));
      assertThat(membership.notReady()).hasValue("this target has not announced itself yet");

      CompletableFuture<AnnouncedTarget> told = new CompletableFuture<>();
      membership.announce(new TargetAddress("127.0.0.1", 9100), Optional.empty());
      ControlPlane.Watch watch = control.watch(state -> state.announced().forEach(told::complete));
      AnnouncedTarget announced = told.get(10, TimeUnit.SECONDS);
      watch.close();
      assertThat(membership.notReady()).isEmpty();
      assertThat(announced.id().value()).startsWith("node-");
      assertThat(announced.disks().getFirst().capacityBytes()).isPositive();
      assertThat(membership.view().refusal()).isPresent();

      submit(new Command.SetMembers(1, Set.of(announced.id())));
      assertThat(membership.view().refusal()).isEmpty();
      assertThat(membership.notReady()).isEmpty();
    }
  }

  @Test
  void targetThatTheMapHasWithOtherDisksIsNotReady() throws Exception {
    TargetId id = new TargetId("t1");
    submit(
        new Command.AnnounceTarget(
            1,
            new AnnouncedTarget(
                id,
                List.of(new TargetAddress("127.0.0.1", 9100)),
                List.of(new AnnouncedTarget.Disk(new DiskId("lost"), 1)))));
    submit(new Command.SetMembers(1, Set.of(id)));
    TarnConfig config =
        ConfigBinder.bind(
                TarnConfig.defaults(folder),
                Settings.none().with("cluster.target-id", "t1", "test"))
            .value();
    try (DataFolder data = DataFolder.open(folder);
        OwnTarget own = OwnTarget.openMember(config, data, control, new SimpleMeterRegistry());
        TargetMembership membership = own.membership(InstantSource.system())) {
      assertThat(membership.notReady().orElseThrow())
          .contains("names disk lost of the target t1, which is not there");
    }
    try (DataFolder data = DataFolder.open(folder);
        OwnTarget again =
            OwnTarget.openMember(
                TarnConfig.defaults(folder), data, control, new SimpleMeterRegistry())) {
      assertThat(again.status().getFirst().id()).isEqualTo("t1");
    }
  }

  @Test
  void dataFolderOfAnotherTargetIsRefused() throws Exception {
    try (DataFolder data = DataFolder.open(folder)) {
      OwnTarget.openMember(TarnConfig.defaults(folder), data, control, new SimpleMeterRegistry())
          .close();
      TarnConfig other =
          ConfigBinder.bind(
                  TarnConfig.defaults(folder),
                  Settings.none().with("cluster.target-id", "t2", "test"))
              .value();
      assertThatThrownBy(
              () -> OwnTarget.openMember(other, data, control, new SimpleMeterRegistry()))
          .isInstanceOf(StartFailure.class)
          .hasMessageContaining("cluster.target-id is t2, but the data folder")
          .hasMessageContaining("is that of node-");
    }
  }

  @Test
  void addressThatSaysNothingIsNotAdvertised() throws Exception {
    assertThat(TargetMembership.address(Optional.empty(), "10.0.0.1", 9100))
        .isEqualTo(new TargetAddress("10.0.0.1", 9100));
    assertThat(TargetMembership.address(Optional.of("pod-0.targets:9100"), "0.0.0.0", 9100))
        .isEqualTo(new TargetAddress("pod-0.targets", 9100));
    assertThatThrownBy(() -> TargetMembership.address(Optional.empty(), "0.0.0.0", 9100))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("set cluster.advertise to HOST:PORT");
  }

  private void submit(Command command) {
    assertThat(control.submit(command).toCompletableFuture().join())
        .isInstanceOf(CommandOutcome.Applied.class);
  }
}
