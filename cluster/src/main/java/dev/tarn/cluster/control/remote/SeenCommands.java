package dev.tarn.cluster.control.remote;

import dev.tarn.cluster.capability.MessageSeal;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The nonces of the commands that are still fresh, so that a recorded command that is sent again
 * changes nothing. Nonces from before the start of this process are unknown. A command sealed
 * before the start is therefore refused.
 */
final class SeenCommands {
  private static final int SEEN_MAX = 100_000;

  /** A message is fresh from AGE_MAX before its time to AGE_MAX after. */
  private static final long FRESH_MS = 2 * MessageSeal.AGE_MAX.toMillis();

  private final InstantSource clock;
  private final long begunMs;
  private final Map<ByteBuffer, Long> seenMs = new LinkedHashMap<>();

  SeenCommands(InstantSource clock) {
    this.clock = clock;
    this.begunMs = clock.millis();
  }

  /** Why this command must not be carried out; empty if it may, and its nonce is noted. */
  synchronized Optional<String> refuse(MessageSeal.Message command) {
    ByteBuffer nonce = command.nonce();
    if (command.sealedMs() < begunMs) {
      return Optional.of(
          "this command was sealed before the control node began, by its clock; try again");
    }
    long nowMs = clock.millis();
    Iterator<Long> oldest = seenMs.values().iterator();
    while (oldest.hasNext() && oldest.next() < nowMs - FRESH_MS) {
      oldest.remove();
    }
    if (seenMs.containsKey(nonce)) {
      return Optional.of("this command was sent before; it is carried out once");
    }
    if (seenMs.size() >= SEEN_MAX) {
      return Optional.of("more than " + SEEN_MAX + " commands came within minutes; try later");
    }
    seenMs.put(nonce, nowMs);
    return Optional.empty();
  }
}
