package dev.tarn.cluster.control.remote;

import dev.tarn.cluster.capability.MessageSeal;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The nonces of the commands that could still pass as fresh, so that one that somebody recorded on
 * the wire and sends again changes nothing. Those that came before this process began are not
 * known; so nothing is carried out that was sealed before it did.
 */
final class SeenCommands {
  private static final int SEEN_MAX = 100_000;

  /** A message is fresh from its age before now to the same time after it. */
  private static final long FRESH_MS = 2 * MessageSeal.AGE_MAX.toMillis();

  private final InstantSource clock;
  private final long begunMs;
  private final Map<ByteBuffer, Long> seenMs = new LinkedHashMap<>();

  SeenCommands(InstantSource clock) {
    this.clock = clock;
    this.begunMs = clock.millis();
  }

  /** Why this command is not to be carried out; it is noted otherwise. */
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
