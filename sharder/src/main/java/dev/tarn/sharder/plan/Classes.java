package dev.tarn.sharder.plan;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.plan.option.LabelFrom;
import dev.tarn.sharder.plan.option.PlanException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The classes of samples: the names of the folders that hold them. New classes are numbered in byte
 * order, after the classes that a dataset already has.
 */
final class Classes {
  private static final int COUNT_MAX = 1_000_000;

  private final LabelFrom labelFrom;
  private final List<String> known;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final TreeSet<String> found = new TreeSet<>(MemberNames::compare);
  private String last = "";
  private @Nullable List<String> all;

  /**
   * @param labelFrom gives the class of a sample
   * @param known the classes that already have numbers, in that order
   */
  Classes(LabelFrom labelFrom, List<String> known) {
    this.labelFrom = labelFrom;
    this.known = List.copyOf(known);
    for (String name : known) {
      numbers.put(name, numbers.size());
    }
  }

  /** Records a sample's class. */
  void add(String key) throws PlanException {
    String name = labelFrom.classOf(key);
    if (name.isEmpty() || name.equals(last)) {
      return;
    }
    last = name;
    if (!numbers.containsKey(name)) {
      found.add(name);
    }
    if (known.size() + found.size() > COUNT_MAX) {
      throw new PlanException(
          "more than "
              + COUNT_MAX
              + " classes (--label-from): the folders or archives that hold the samples are no"
              + " classes");
    }
  }

  /** Returns all classes by number; call it only after all samples were added. */
  List<String> all() {
    if (all == null) {
      all = new ArrayList<>(known);
      for (String name : found) {
        numbers.put(name, all.size());
        all.add(name);
      }
    }
    return all;
  }

  /** Returns the content of a sample's label by its key; null if it has no class. */
  byte @Nullable [] label(String key) {
    String name = labelFrom.classOf(key);
    if (name.isEmpty()) {
      return null;
    }
    all();
    Integer number = numbers.get(name);
    if (number == null) {
      throw new IllegalStateException("class " + name + " was never seen");
    }
    return number.toString().getBytes(StandardCharsets.US_ASCII);
  }
}
