package dev.tarn.gateway.policy;

import static java.util.Objects.requireNonNull;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What must hold beside principal, action and resource for a statement to apply. */
sealed interface Condition {
  /** Whether it holds; empty if that cannot be known. */
  Optional<Boolean> holds(Question question);

  /** Whether it keeps nobody out for who they are. */
  default boolean holdsForEverybody() {
    return true;
  }

  /** The caller's address is in one of these ranges. */
  record SourceAddress(List<AddressRange> ranges) implements Condition {
    public SourceAddress {
      ranges = List.copyOf(ranges);
    }

    @Override
    public boolean holdsForEverybody() {
      return ranges.stream().anyMatch(AddressRange::isWide);
    }

    @Override
    public Optional<Boolean> holds(Question question) {
      String text = question.caller().address().get();
      int scope = text.indexOf('%');
      Optional<InetAddress> address =
          AddressRange.address(scope < 0 ? text : text.substring(0, scope));
      return address.map(known -> ranges.stream().anyMatch(range -> range.contains(known)));
    }
  }

  /** The prefix that a listing asks for is one of these. */
  record PrefixIs(Set<String> prefixes) implements Condition {
    public PrefixIs {
      prefixes = Set.copyOf(prefixes);
    }

    @Override
    public Optional<Boolean> holds(Question question) {
      String prefix = question.prefix();
      return Optional.of(prefix != null && prefixes.contains(prefix));
    }
  }

  /** The prefix that a listing asks for fits one of these. */
  record PrefixFits(List<PolicyPattern> patterns) implements Condition {
    public PrefixFits {
      patterns = List.copyOf(requireNonNull(patterns, "patterns is null"));
    }

    @Override
    public Optional<Boolean> holds(Question question) {
      String prefix = question.prefix();
      return Optional.of(
          prefix != null && patterns.stream().anyMatch(pattern -> pattern.fits(prefix)));
    }
  }
}
