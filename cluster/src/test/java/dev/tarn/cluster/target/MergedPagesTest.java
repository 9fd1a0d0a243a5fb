package dev.tarn.cluster.target;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.ObjectKey;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class MergedPagesTest {
  @Test
  void anObjectThatEveryMemberListsIsGivenOnce() {
    ListPage page = page("a", "b", "c");
    assertThat(MergedPages.objects(List.of(page, page, page), 10)).isEqualTo(page);
  }

  @Test
  void aPageOfRepeatedObjectsIsFullAndSaysThatMoreFollow() {
    ListPage page = page("a", "b", "c");
    ListPage merged = MergedPages.objects(List.of(page, page), 2);
    assertThat(merged.entries()).isEqualTo(page.entries().subList(0, 2));
    assertThat(merged.truncated()).isTrue();
  }

  private static ListPage page(String... keys) {
    return new ListPage(
        Stream.of(keys)
            .<ListPage.Entry>map(key ->
                new ListPage.ObjectEntry(
                    ObjectKey.of(key), 1, "etag", 0, List.of(), Optional.empty(), ""))
            .toList(),
        false);
  }
}
