package dev.tarn.standalone.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class EpochDigestTest {
  private record Entry(String key, String content) {}

  @Test
  void orderDoesNotMatter() {
    Entry one = new Entry("a", "1");
    Entry two = new Entry("b", "2");
    assertThat(digest(one, two)).isEqualTo(digest(two, one));
  }

  @Test
  void swappedContentsAreNoticed() {
    assertThat(digest(new Entry("a", "1"), new Entry("b", "2")))
        .isNotEqualTo(digest(new Entry("a", "2"), new Entry("b", "1")));
  }

  @Test
  void missingDoubledAndAlteredFilesAreNoticed() {
    Entry one = new Entry("a", "1");
    Entry two = new Entry("b", "2");
    assertThat(List.of(digest(one), digest(one, two, two), digest(one, new Entry("b", "3"))))
        .doesNotContain(digest(one, two))
        .doesNotHaveDuplicates();
  }

  @Test
  void contentIsLeftAsItWas() {
    ByteBuffer content = ByteBuffer.wrap("content".getBytes(UTF_8));
    EpochDigest digest = new EpochDigest();
    digest.add("a", "txt", content);
    assertThat(content.remaining()).isEqualTo(7);
    assertThat(digest.delivered().bytes()).isEqualTo(7);
  }

  private static EpochDigest.Delivered digest(Entry... entries) {
    EpochDigest digest = new EpochDigest();
    for (Entry entry : entries) {
      digest.add(entry.key(), "txt", ByteBuffer.wrap(entry.content().getBytes(UTF_8)));
    }
    return digest.delivered();
  }
}
