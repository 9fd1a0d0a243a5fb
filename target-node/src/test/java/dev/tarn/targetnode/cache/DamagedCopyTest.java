package dev.tarn.targetnode.cache;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BucketSettings.Verify;
import dev.tarn.cluster.control.Freshness;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Selection;
import dev.tarn.targetnode.local.Calls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cached copies whose bytes were damaged on the disk: the backend has the object. */
class DamagedCopyTest extends CachedBucketFixture {
  DamagedCopyTest(@TempDir Path folder) throws IOException {
    super(folder);
  }

  @Test
  void aCachedObjectThatIsDamagedIsFetchedAgain() throws Exception {
    freshness = Freshness.IMMUTABLE;
    byte[] bytes = there("key", 2 * UNIT);
    value(calls.get("key"));
    for (Path extent : extents()) {
      Files.write(extent, new byte[] {'X'});
    }
    verify = Verify.ALWAYS;

    assertThat(Arrays.equals(value(calls.get("key")), bytes)).isTrue();
  }

  @Test
  void aDamagedUnitOfAnObjectThatIsPartlyHereIsFetchedAgain() throws Exception {
    freshness = Freshness.IMMUTABLE;
    byte[] bytes = there("key", 3 * UNIT);
    value(calls.get("key", new Selection.Range(0, UNIT - 1)));
    damageExtentsAt(UNIT / 2);
    verify = Verify.ALWAYS;

    assertThat(Arrays.equals(value(calls.get("key")), bytes)).isTrue();
    assertThat(Arrays.equals(value(calls.get("key")), bytes)).isTrue();
  }

  @Test
  void damageInTheMiddleOfACachedObjectIsReplacedByTheBackendsBytes() throws Exception {
    freshness = Freshness.IMMUTABLE;
    byte[] bytes = there("key", 2 * UNIT);
    value(calls.get("key"));
    damageExtentsAt(UNIT / 2);

    assertThat(Arrays.equals(value(verified("key")), bytes)).isTrue();
    verify = Verify.ALWAYS;
    assertThat(Arrays.equals(value(calls.get("key")), bytes)).isTrue();
  }

  /** Reads as a copy does, whatever the settings of the bucket. */
  private Outcome<byte[]> verified(String key) {
    return Calls.await(node.target().call(get(key, Selection.WHOLE, true))).map(Calls::read);
  }

  private void damageExtentsAt(int position) throws IOException {
    for (Path extent : extents()) {
      StoredExtents.damage(extent, position);
    }
  }

  /** The files of all units, once none is being fetched: reads of such a unit are not verified. */
  private List<Path> extents() throws IOException {
    while ((long) node.cacheMeters().unitsFetched.count() < backend.rangesRead().size()) {
      Thread.onSpinWait();
    }
    return StoredExtents.in(folder);
  }
}
