package dev.tarn.e2e.wire;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.capability.ClusterSecrets;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ListRequest.ListObjects;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.e2e.process.ClusterOfProcesses;
import dev.tarn.transport.relay.HttpTarget;
import dev.tarn.transport.relay.PatientClients;
import dev.tarn.transport.relay.RelayClient;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What each target itself says that it has. */
public final class HeldKeys {
  private static final int PAGE = 1000;

  private HeldKeys() {}

  /** The keys of the first bucket that was made, by the ids of these targets. */
  public static Map<String, List<String>> of(ClusterOfProcesses cluster, List<String> ids) {
    Vertx vertx = Vertx.vertx();
    RelayClient transport = PatientClients.plain(vertx);
    Capabilities capabilities =
        new Capabilities(ClusterSecrets.of(ClusterOfProcesses.SECRET), InstantSource.system());
    Map<String, List<String>> held = new TreeMap<>();
    for (String id : ids) {
      TargetAddress address = TargetAddress.parse(cluster.address(id));
      held.put(id, listed(new HttpTarget(transport, address, capabilities)));
    }
    vertx.close().toCompletionStage().toCompletableFuture().join();
    return held;
  }

  private static List<String> listed(HttpTarget target) {
    CallScope scope = new CallScope(new BucketId(1), 1, 1, CallContext.UNNAMED);
    List<String> keys = new ArrayList<>();
    ListPage page;
    do {
      String after = keys.isEmpty() ? "" : keys.getLast();
      page =
          ((Outcome.Success<ListPage>)
                  target
                      .call(new ListObjects(scope, "", "", after, PAGE))
                      .toCompletableFuture()
                      .join())
              .value();
      page.entries().forEach(entry -> keys.add(((ListPage.ObjectEntry) entry).key().text()));
    } while (page.truncated());
    return keys;
  }
}
