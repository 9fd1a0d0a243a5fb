package dev.tarn.sharder.source;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.sample.SampleName;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Selects members by name. Names that belong to no sample pass: later steps leave them out.
 *
 * @param keptExtensions in lower case; empty for all
 * @param droppedExtensions in lower case
 * @param keptKeys a key passes if one of them accepts it; empty for all
 * @param droppedKeys a key is left out if one of them accepts it
 */
public record SampleFilter(
    Set<String> keptExtensions,
    Set<String> droppedExtensions,
    List<Predicate<String>> keptKeys,
    List<Predicate<String>> droppedKeys)
    implements Predicate<String> {
  public SampleFilter {
    keptExtensions = Set.copyOf(keptExtensions);
    droppedExtensions = Set.copyOf(droppedExtensions);
    keptKeys = List.copyOf(keptKeys);
    droppedKeys = List.copyOf(droppedKeys);
  }

  @Override
  public boolean test(String name) {
    SampleName sample = SampleName.parse(requireNonNull(name, "name is null"));
    return sample == null || (isKept(sample.extension()) && isKeptKey(sample.key()));
  }

  private boolean isKept(String extension) {
    return (keptExtensions.isEmpty() || keptExtensions.contains(extension))
        && !droppedExtensions.contains(extension);
  }

  private boolean isKeptKey(String key) {
    return (keptKeys.isEmpty() || keptKeys.stream().anyMatch(kept -> kept.test(key)))
        && droppedKeys.stream().noneMatch(dropped -> dropped.test(key));
  }
}
