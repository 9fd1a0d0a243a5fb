package dev.tarn.gateway.policy;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.User;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who asks.
 *
 * @param user who signed, or null for anybody
 * @param address of the connection's other end; gives an empty text where it has none
 */
public record Caller(@Nullable User user, Supplier<String> address) {
  public Caller {
    requireNonNull(address, "address is null");
  }
}
