package dev.tarn.cluster.capability;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class MessageSealTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final byte[] CONTENT = "a user's secret".getBytes(UTF_8);

  private final MessageSeal seal = sealOf("1", 'x', NOW);

  @Test
  void requestIsReadByAMemberForItsPurposeAlone() throws Exception {
    byte[] sealed = seal.sealRequest("/state", CONTENT).bytes();
    assertThat(new String(sealed, US_ASCII)).doesNotContain("secret");
    assertThat(seal.openRequest("/state", sealed).bytes()).isEqualTo(CONTENT);
    refuses("not sealed under this cluster's secret", () -> seal.openRequest("/command", sealed));
  }

  @Test
  void answerIsReadOnlyAsTheAnswerOfItsRequest() throws Exception {
    MessageSeal.Message one = seal.sealRequest("/state", CONTENT);
    MessageSeal.Message other = seal.sealRequest("/state", CONTENT);
    byte[] answer = seal.sealAnswer("/state", one.nonce(), CONTENT);
    assertThat(seal.openAnswer("/state", one.nonce(), answer)).isEqualTo(CONTENT);
    refuses("not sealed", () -> seal.openAnswer("/state", other.nonce(), answer));
    refuses("not sealed", () -> seal.openRequest("/state", answer));
    refuses("not sealed", () -> seal.openAnswer("/state", one.nonce(), one.bytes()));
  }

  @Test
  void memberOfAnotherClusterIsNotBelieved() {
    byte[] sealed = sealOf("1", 'y', NOW).sealRequest("/state", CONTENT).bytes();
    refuses("not sealed under this cluster's secret", () -> seal.openRequest("/state", sealed));
    byte[] unknown = sealOf("2", 'x', NOW).sealRequest("/state", CONTENT).bytes();
    refuses("a secret that is unknown here", () -> seal.openRequest("/state", unknown));
  }

  @Test
  void messageOfAnotherTimeIsRefused() {
    for (Instant time : new Instant[] {NOW.minusSeconds(121), NOW.plusSeconds(121)}) {
      byte[] sealed = sealOf("1", 'x', time).sealRequest("/state", CONTENT).bytes();
      refuses("set the clocks", () -> seal.openRequest("/state", sealed));
    }
  }

  @Test
  void noByteMayBeChangedOrCutOff() {
    byte[] sealed = seal.sealRequest("/state", CONTENT).bytes();
    for (int i = 0; i < sealed.length; i++) {
      byte[] changed = sealed.clone();
      changed[i] ^= 1;
      assertThatThrownBy(() -> seal.openRequest("/state", changed))
          .as("byte %s", i)
          .isInstanceOf(SealException.class);
      byte[] cut = Arrays.copyOf(sealed, i);
      assertThatThrownBy(() -> seal.openRequest("/state", cut))
          .as("cut at %s", i)
          .isInstanceOf(SealException.class);
    }
  }

  private static MessageSeal sealOf(String id, char secret, Instant time) {
    byte[] bytes = new byte[32];
    Arrays.fill(bytes, (byte) secret);
    return new MessageSeal(new ClusterSecrets(id, Map.of(id, bytes)), InstantSource.fixed(time));
  }

  private static void refuses(String reason, ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(SealException.class).hasMessageContaining(reason);
  }
}
