package dev.tarn.targetnode.local;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.Slot;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ListRequest;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.UploadPage;
import dev.tarn.cluster.target.VersionPage;
import dev.tarn.targetnode.TargetNode;
import dev.tarn.targetnode.TargetNodeConfig;
import dev.tarn.targetnode.membership.MovingSlots;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objects that are left on a target which is no longer the home of their slots. */
final class LeftoversTest {
  private static final BucketId BUCKET = new BucketId(1);
  private static final TargetId SELF = new TargetId("self");
  private static final TargetId NEXT = new TargetId("next");
  private static final byte[] BYTES = new byte[10];

  private volatile ClusterMap map =
      ClusterMap.first(List.of(MapTarget.ofEqualDisks(SELF, List.of(new DiskId("a")))));

  @Test
  void whatIsLeftBehindIsNotListed(@TempDir Path folder) throws IOException {
    List<String> stay = new ArrayList<>();
    List<String> leave = new ArrayList<>();
    ClusterMap larger = map.adding(MapTarget.ofEqualDisks(NEXT, List.of(new DiskId("b"))), 0);
    for (int i = 0; i < 40; i++) {
      String key = "folder" + i + "/key";
      boolean leaves = larger.slots().of(BUCKET, ObjectKey.of(key)).destination().isPresent();
      (leaves ? leave : stay).add(key);
    }
    assertThat(stay).isNotEmpty();
    assertThat(leave).isNotEmpty();
    try (TargetNode node =
        TargetNode.open(
            TargetNodeConfig.of(folder),
            new MovingSlots(SELF, () -> map, () -> BucketSettings.PRIMARY))) {
      for (int i = 0; i < 40; i++) {
        CallScope scope = scope(1);
        ObjectKey key = ObjectKey.of("folder" + i + "/key");
        value(
            Calls.await(
                node.target()
                    .call(
                        new TargetRequest.Put(
                            scope, key, ObjectAttributes.NONE, Set.of(), Preconditions.NONE),
                        new BytesBody(BYTES))));
        value(
            Calls.await(
                node.target()
                    .call(
                        new TargetRequest.CreateUpload(
                            scope,
                            key,
                            ObjectAttributes.NONE,
                            Optional.empty(),
                            Optional.empty()))));
      }
      map = afterMove(larger);
      CallScope scope = scope(map.slots().homesSince());

      ListPage objects =
          value(
              Calls.await(
                  node.target().call(new ListRequest.ListObjects(scope, "", "", "", 1000))));
      ListPage groups =
          value(
              Calls.await(
                  node.target().call(new ListRequest.ListObjects(scope, "", "/", "", 1000))));
      VersionPage versions =
          value(
              Calls.await(
                  node.target().call(new ListRequest.ListVersions(scope, "", "", "", "", 1000))));
      UploadPage uploads =
          value(
              Calls.await(
                  node.target().call(new ListRequest.ListUploads(scope, "", "", "", "", 1000))));
      List<String> inPages = new ArrayList<>();
      ListPage page;
      do {
        String after = inPages.isEmpty() ? "" : inPages.getLast();
        page =
            value(
                Calls.await(
                    node.target().call(new ListRequest.ListObjects(scope, "", "", after, 3))));
        page.entries().forEach(entry -> inPages.add(((ListPage.ObjectEntry) entry).key().text()));
      } while (page.truncated());
      assertThat(inPages).as("in pages of three").containsExactlyInAnyOrderElementsOf(stay);
      assertThat(objects.entries())
          .extracting(entry -> ((ListPage.ObjectEntry) entry).key().text())
          .containsExactlyInAnyOrderElementsOf(stay);
      assertThat(groups.entries())
          .extracting(entry -> ((ListPage.CommonPrefix) entry).prefix().text() + "key")
          .containsExactlyInAnyOrderElementsOf(stay);
      assertThat(versions.entries())
          .extracting(entry -> entry.key().text())
          .containsExactlyInAnyOrderElementsOf(stay);
      assertThat(uploads.entries())
          .extracting(entry -> entry.key().text())
          .containsExactlyInAnyOrderElementsOf(stay);
    }
  }

  /** The map after all slots with a destination went there, as if they were empty. */
  private static ClusterMap afterMove(ClusterMap larger) {
    Map<Integer, Long> given = new HashMap<>();
    IntStream.range(0, Slot.COUNT)
        .filter(number -> larger.slots().all().get(number).destination().isPresent())
        .forEach(number -> given.put(number, larger.slots().all().get(number).home().since()));
    return larger.giving(SELF, given).orElseThrow();
  }

  private static CallScope scope(long since) {
    return new CallScope(BUCKET, 0, since, CallContext.UNNAMED);
  }
}
