package dev.tarn.cluster.capability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ListRequest;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.UploadRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class CapabilitiesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final byte[] SECRET = secret(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final CallScope SCOPE = new CallScope(new BucketId(1), 2, 3, CallContext.UNNAMED);
  private static final ObjectKey KEY = ObjectKey.of("k");

  @Test
  void whatWasGrantedIsAllowedUntilItExpires() {
    String capability = at(NOW).issue(Grant.of(get(SCOPE, KEY)), MINUTE);
    assertThat(at(NOW).refuse(capability, Grant.of(get(SCOPE, KEY)))).isEmpty();
    assertThat(at(NOW.plusSeconds(59)).refuse(capability, Grant.of(get(SCOPE, KEY)))).isEmpty();
    assertThat(at(NOW.plusSeconds(60)).refuse(capability, Grant.of(get(SCOPE, KEY))))
        .contains(new Failure.Forbidden("The capability has expired."));
  }

  @Test
  void aCapabilityServesEveryRangeOfItsObject() {
    String capability = at(NOW).issue(Grant.of(get(SCOPE, KEY)), MINUTE);
    TargetRequest.Get range =
        new TargetRequest.Get(
            SCOPE, KEY, Optional.empty(), new Selection.Range(5, 9), Preconditions.NONE);
    assertThat(at(NOW).refuse(capability, Grant.of(range))).isEmpty();
  }

  @Test
  void whatDiffersInAnythingThatCountsIsRefused() {
    Capabilities capabilities = at(NOW);
    List<TargetRequest<?>> requests =
        List.of(
            get(SCOPE, KEY),
            get(new CallScope(new BucketId(9), 2, 3, CallContext.UNNAMED), KEY),
            get(new CallScope(new BucketId(1), 9, 3, CallContext.UNNAMED), KEY),
            get(new CallScope(new BucketId(1), 2, 9, CallContext.UNNAMED), KEY),
            get(SCOPE, ObjectKey.of("other")),
            new TargetRequest.Get(
                SCOPE, KEY, Optional.of("null"), Selection.WHOLE, Preconditions.NONE),
            new TargetRequest.Head(
                SCOPE, KEY, Optional.empty(), Selection.WHOLE, Preconditions.NONE),
            new TargetRequest.Delete(SCOPE, KEY, Optional.empty(), Preconditions.NONE),
            new ListRequest.ListObjects(SCOPE, "k", "", "", 10),
            new ListRequest.ListObjects(SCOPE, "", "", "", 10),
            new ListRequest.ListVersions(SCOPE, "k", "", "", "", 10),
            new ListRequest.ListVersions(SCOPE, "", "", "", "", 10),
            new UploadRequest.PutPart(SCOPE, KEY, "u", 1, Set.of()),
            new UploadRequest.PutPart(SCOPE, KEY, "u", 2, Set.of()),
            new UploadRequest.PutPart(SCOPE, KEY, "w", 1, Set.of()),
            copy("from"),
            copy("elsewhere"));
    for (int granted = 0; granted < requests.size(); granted++) {
      String capability = capabilities.issue(Grant.of(requests.get(granted)), MINUTE);
      for (int asked = 0; asked < requests.size(); asked++) {
        assertThat(capabilities.refuse(capability, Grant.of(requests.get(asked))).isEmpty())
            .isEqualTo(granted == asked);
      }
    }
    assertThat(capabilities.refuse(capabilities.issue(Grant.ofReport(), MINUTE), Grant.ofScrub()))
        .isPresent();
  }

  @Test
  void everyAlteredCharacterIsRefused() {
    String capability = at(NOW).issue(Grant.of(get(SCOPE, KEY)), MINUTE);
    for (int i = 0; i < capability.length() - 1; i++) {
      char altered = capability.charAt(i) == 'A' ? 'B' : 'A';
      String forged = capability.substring(0, i) + altered + capability.substring(i + 1);
      assertThat(at(NOW).refuse(forged, Grant.of(get(SCOPE, KEY)))).isPresent();
    }
    for (String noCapability : List.of("", ".", "..", "1.2.3", "1.2.3.4", "x".repeat(10_000))) {
      assertThat(at(NOW).refuse(noCapability, Grant.of(get(SCOPE, KEY)))).isPresent();
    }
  }

  @Test
  void aCallerIsKnownByTheTextAlone() {
    String capability = at(NOW).issue(Grant.of(get(SCOPE, KEY)), MINUTE);
    assertThat(at(NOW).refuse(capability)).isEmpty();
    assertThat(at(NOW.plusSeconds(60)).refuse(capability)).isPresent();
    assertThat(at(NOW).refuse("")).isPresent();
    Capabilities stranger =
        new Capabilities(ClusterSecrets.of(secret(2)), InstantSource.fixed(NOW));
    assertThat(stranger.refuse(capability)).isPresent();
  }

  @Test
  void whoDoesNotKnowTheSecretGrantsNothing() {
    Capabilities stranger =
        new Capabilities(ClusterSecrets.of(secret(2)), InstantSource.fixed(NOW));
    String capability = stranger.issue(Grant.of(get(SCOPE, KEY)), MINUTE);
    assertThat(at(NOW).refuse(capability, Grant.of(get(SCOPE, KEY)))).isPresent();
  }

  @Test
  void aSecretIsReplacedWhileTheClusterRuns() {
    Map<String, byte[]> both = Map.of("old", SECRET, "new", secret(2));
    Capabilities before =
        new Capabilities(
            new ClusterSecrets("old", Map.of("old", SECRET)), InstantSource.fixed(NOW));
    Capabilities learned =
        new Capabilities(new ClusterSecrets("old", both), InstantSource.fixed(NOW));
    Capabilities switched =
        new Capabilities(new ClusterSecrets("new", both), InstantSource.fixed(NOW));
    Grant grant = Grant.of(get(SCOPE, KEY));
    assertThat(switched.refuse(before.issue(grant, MINUTE), grant)).isEmpty();
    assertThat(learned.refuse(switched.issue(grant, MINUTE), grant)).isEmpty();
    assertThat(before.refuse(switched.issue(grant, MINUTE), grant)).isPresent();
  }

  @Test
  void lifetimesAreBounded() {
    assertThatThrownBy(() -> at(NOW).issue(Grant.ofReport(), Duration.ofHours(1)))
        .hasMessageContaining("must be at most PT15M");
    String early = at(NOW.plus(Duration.ofHours(1))).issue(Grant.ofReport(), MINUTE);
    assertThat(at(NOW).refuse(early, Grant.ofReport())).isPresent();
  }

  @Test
  void refusedCallNamesBothClocks() {
    String call = at(NOW).issueForCall(Grant.ofReport());
    assertThat(at(NOW.plusSeconds(119)).refuseCall(call)).isEmpty();
    assertThat(at(NOW.plusSeconds(150)).refuseCall(call))
        .contains(
            new Failure.Forbidden(
                "Call refused: it was sent at 2026-01-01T00:00:00Z by the caller's clock and came"
                    + " at 2026-01-01T00:02:30Z by the clock here, 150 s later (limit 60 s);"
                    + " synchronize the clocks of both machines."));
    assertThat(at(NOW.minusSeconds(3600)).refuseCall(call))
        .contains(
            new Failure.Forbidden(
                "Call refused: it was sent at 2026-01-01T00:00:00Z by the caller's clock and came"
                    + " at 2025-12-31T23:00:00Z by the clock here, 3600 s earlier (limit 60 s);"
                    + " synchronize the clocks of both machines."));
    assertThat(at(NOW).refuseCall(call + "A"))
        .contains(new Failure.Forbidden("The capability is forged."));
  }

  @Test
  void secretsAreLongEnoughAndNeverShown() {
    assertThatThrownBy(() -> ClusterSecrets.of(new byte[16])).hasMessageContaining("at least 32");
    assertThatThrownBy(() -> new ClusterSecrets("2", Map.of("1", SECRET)))
        .hasMessageContaining("no cluster secret of the id 2");
    assertThat(ClusterSecrets.of(SECRET)).hasToString("cluster secrets [1], granting by 1");
  }

  private static Capabilities at(Instant time) {
    return new Capabilities(ClusterSecrets.of(SECRET), InstantSource.fixed(time));
  }

  private static TargetRequest.Get get(CallScope scope, ObjectKey key) {
    return new TargetRequest.Get(scope, key, Optional.empty(), Selection.WHOLE, Preconditions.NONE);
  }

  private static TargetRequest.Copy copy(String source) {
    return new TargetRequest.Copy(
        SCOPE,
        KEY,
        new TargetRequest.CopySource(
            SCOPE, ObjectKey.of(source), Optional.empty(), Preconditions.NONE),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Set.of(),
        Preconditions.NONE);
  }

  private static byte[] secret(int fill) {
    byte[] secret = new byte[ClusterSecrets.SECRET_BYTES_MIN];
    Arrays.fill(secret, (byte) fill);
    return secret;
  }
}
