package dev.tarn.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What was skipped, within the bound that a policy sets. For use by many threads at once. */
final class DamageReport {
  private final ErrorPolicy policy;
  private final List<Damage> damages = new ArrayList<>();
  private long skipped;

  DamageReport(ErrorPolicy policy) {
    this.policy = policy;
  }

  /**
   * Adds what is to be skipped.
   *
   * @param failure which says that it cannot be read
   * @throws IOException that failure, if too much is to be skipped
   */
  synchronized void add(Damage damage, IOException failure) throws IOException {
    if (damage.samples() > policy.skippedMax() - skipped) {
      throw failure;
    }
    skipped += damage.samples();
    damages.add(damage);
  }

  /** What was skipped, in the order in which it was met. */
  synchronized List<Damage> damages() {
    return List.copyOf(damages);
  }
}
