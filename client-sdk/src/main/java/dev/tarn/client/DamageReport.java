package dev.tarn.client;

import dev.tarn.client.decode.DecodeException;
import dev.tarn.client.storage.StorageUrl;
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
  void add(Damage damage, IOException failure) throws IOException {
    if (!isAdded(damage)) {
      throw failure;
    }
  }

  /** Whether a sample that a function fails on is skipped; of what is made of several, none is. */
  boolean isSkipped(Object origin, Exception failure) {
    if (!(origin instanceof SampleOrigin sample)) {
      return false;
    }
    String member =
        failure instanceof DecodeException decoding
            ? sample.key() + "." + decoding.extension()
            : sample.key();
    StorageUrl shard = StorageUrl.parse(sample.url());
    return isAdded(new Damage(shard, member, sample.offset(), String.valueOf(failure), 1));
  }

  private synchronized boolean isAdded(Damage damage) {
    if (damage.samples() > policy.skippedMax() - skipped) {
      return false;
    }
    skipped += damage.samples();
    damages.add(damage);
    return true;
  }

  /** What was skipped, in the order in which it was met. */
  synchronized List<Damage> damages() {
    return List.copyOf(damages);
  }
}
