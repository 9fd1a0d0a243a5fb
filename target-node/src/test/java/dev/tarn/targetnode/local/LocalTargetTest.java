package dev.tarn.targetnode.local;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.fixtures.target.LockContract;
import dev.tarn.fixtures.target.ObjectTargetContract;
import dev.tarn.fixtures.target.VersionContract;
import dev.tarn.fixtures.target.VersionListContract;
import dev.tarn.targetnode.TargetNode;
import dev.tarn.targetnode.TargetNodeConfig;
import dev.tarn.targetnode.membership.FixedView;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The contract suite on a node with two real disks. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LocalTargetTest extends ObjectTargetContract
    implements VersionContract, VersionListContract, LockContract {
  private @Nullable TargetNode node;

  @BeforeAll
  void openNode(@TempDir Path directory) throws IOException {
    node =
        TargetNode.open(
            TargetNodeConfig.of(
                directory, List.of(directory.resolve("disk0"), directory.resolve("disk1"))),
            new FixedView(
                1,
                1,
                bucket ->
                    FixedView.bucket(bucket, BucketSettings.PRIMARY, configuration(bucket), 0)));
  }

  @AfterAll
  void closeNode() throws IOException {
    requireNonNull(node).close();
  }

  @Override
  public ObjectTarget target() {
    return requireNonNull(node).target();
  }
}
