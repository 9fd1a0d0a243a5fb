package dev.tarn.client.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.prefetch.FetchOptions.Head;
import org.junit.jupiter.api.Test;

/** What the first sample needs, where a manifest says next to nothing of the shards' sizes. */
final class FetchOptionsTest {
  @Test
  void headIsNeverOfNothingSinceNothingNeverComes() {
    assertThat(new Head(0, 0)).isEqualTo(new Head(1, 1));
  }
}
