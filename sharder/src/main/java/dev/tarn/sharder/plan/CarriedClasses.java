package dev.tarn.sharder.plan;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.plan.option.PlanException;
import dev.tarn.sharder.source.Source;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;

/**
 * The classes of labels that are packed unchanged. A label is a number, so all sources with labels
 * must give it the same meaning. The result is the longest list of classes among them.
 */
final class CarriedClasses {
  private CarriedClasses() {}

  /**
   * Returns the classes by number; empty if no source has classes.
   *
   * @param known the classes of the dataset that is appended to
   * @param labelled the numbers of the sources whose labels are packed
   * @throws PlanException if a number means different classes in two sources
   */
  static List<String> of(List<String> known, List<? extends Source> sources, BitSet labelled)
      throws IOException {
    List<String> most = known;
    String owner = "the dataset that is added to";
    for (int i = labelled.nextSetBit(0); i >= 0; i = labelled.nextSetBit(i + 1)) {
      String url = sources.get(i).url();
      List<String> classes = sources.get(i).classes();
      requireSame(owner, most, url, classes);
      if (classes.size() > most.size()) {
        most = classes;
        owner = url;
      }
    }
    return most;
  }

  private static void requireSame(
      String first, List<String> classes, String second, List<String> others) throws PlanException {
    for (int number = 0; number < Math.min(classes.size(), others.size()); number++) {
      if (!classes.get(number).equals(others.get(number))) {
        throw new PlanException(
            ("the labels (.cls) of %s and of %s do not mean the same: %d is %s there, and %s here;"
                    + " leave them out, as reshard does by --drop-ext cls")
                .formatted(
                    first,
                    second,
                    number,
                    MemberNames.printable(classes.get(number)),
                    MemberNames.printable(others.get(number))));
      }
    }
  }
}
