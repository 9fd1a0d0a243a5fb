package dev.tarn.gateway.policy;

import static java.util.Objects.requireNonNull;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A condition of a statement, besides principal, action and resource. */
sealed interface Condition {
  /** Whether the condition holds; empty if that is unknown. */
  Optional<Boolean> holds(Question question);

  /** Whether the condition holds for everybody, whoever the caller is. */
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

  /** The prefix of a listing equals one of these. */
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

  /** The prefix of a listing matches one of these. */
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
