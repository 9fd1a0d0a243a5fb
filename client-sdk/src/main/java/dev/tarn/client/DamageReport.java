package dev.tarn.client;

import dev.tarn.client.decode.DecodeException;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Collects what was skipped, up to the bound of a policy. Safe for several threads. */
final class DamageReport {
  private final ErrorPolicy policy;
  private final List<Damage> damages = new ArrayList<>();
  private long skipped;

  DamageReport(ErrorPolicy policy) {
    this.policy = policy;
  }

  /**
   * Skips samples.
   *
   * @param failure why they cannot be read
   * @throws IOException the failure, if the policy does not allow so many skipped samples
   */
  void add(Damage damage, IOException failure) throws IOException {
    if (!isAdded(damage)) {
      throw failure;
    }
  }

  /**
   * Whether a sample is skipped on which a function failed; values made of several samples never
   * are.
   */
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

  /** The skipped samples, in the order in which they were found. */
  synchronized List<Damage> damages() {
    return List.copyOf(damages);
  }
}
