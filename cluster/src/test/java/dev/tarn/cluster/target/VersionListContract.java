package dev.tarn.cluster.target;

import static dev.tarn.cluster.control.Versioning.ENABLED;
import static dev.tarn.cluster.control.Versioning.OFF;
import static dev.tarn.cluster.control.Versioning.SUSPENDED;
import static dev.tarn.cluster.target.ContractFixture.key;
import static dev.tarn.cluster.target.ContractFixture.success;
import static dev.tarn.cluster.target.VersionFixture.shown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.TargetRequest.Put;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Listings of versions: order, groups, markers, pages. */
public interface VersionListContract extends VersionFixture {
  @Test
  default void aBucketWithoutVersionsListsNullVersions() {
    setVersioning(OFF);
    Put request =
        new Put(
            scope(),
            key("a"),
            ObjectAttributes.NONE,
            Set.of(ChecksumAlgorithm.CRC32C),
            Preconditions.NONE);
    ObjectMetadata metadata = success(target().call(request, TestBody.of("hello")));
    put("b", "x");
    assertThat(list("", "", "", "", 10).entries())
        .first()
        .isEqualTo(
            new VersionPage.VersionEntry(
                key("a"),
                metadata.version(),
                true,
                true,
                false,
                5,
                metadata.etag(),
                metadata.modifiedMs(),
                List.of(ChecksumAlgorithm.CRC32C)));
    assertThat(versions()).containsExactly("a null *", "b null *");
    delete("a");
    assertThat(versions()).containsExactly("b null *");
    assertThat(list("", "", "", "", 0)).isEqualTo(new VersionPage(List.of(), false));
  }

  @Test
  default void pagesOfVersionsTogetherAreTheWholeListing() {
    List<String> whole = mixture();
    for (int size : new int[] {1, 2, 3, whole.size() - 1, whole.size()}) {
      List<String> paged = new ArrayList<>();
      String afterKey = "";
      String afterVersion = "";
      VersionPage page;
      do {
        page = list("", "", afterKey, afterVersion, size);
        paged.addAll(shown(page));
        VersionPage.VersionEntry last =
            (VersionPage.VersionEntry) page.entries().get(page.entries().size() - 1);
        afterKey = last.key().text();
        afterVersion = size % 2 == 0 ? last.versionText() : last.version().text();
      } while (page.truncated());
      assertThat(paged).isEqualTo(whole);
    }
  }

  /** Keys with versions of every kind; gives how they are shown. */
  private List<String> mixture() {
    List<String> shown = new ArrayList<>();
    for (String key : List.of("a", "b/1", "b/2", "c")) {
      put(OFF, key, "null");
      String first = put(ENABLED, key, "first");
      String second = put(ENABLED, key, "second");
      String marker = delete(key).versionText();
      setVersioning(SUSPENDED);
      boolean replaced = key.equals("b/1");
      if (replaced) {
        put(key, "null again");
        shown.add(key + " null *");
      }
      shown.add(key + " " + marker + " deleted" + (replaced ? "" : " *"));
      shown.add(key + " " + second);
      shown.add(key + " " + first);
      if (!replaced) {
        shown.add(key + " null");
      }
    }
    return shown;
  }

  @Test
  default void pageFollowsItsMarkerAlsoWhenThatIsGone() {
    String first = put(ENABLED, "a", "first");
    String second = put(ENABLED, "a", "second");
    String third = put(ENABLED, "a", "third");
    String other = put(ENABLED, "b", "other");
    assertThat(shown(list("", "", "a", third, 10)))
        .containsExactly("a " + second, "a " + first, "b " + other + " *");
    assertThat(shown(list("", "", "a", "", 10))).containsExactly("b " + other + " *");
    assertThat(shown(list("", "", "a", first, 10))).containsExactly("b " + other + " *");
    delete("a", second);
    assertThat(shown(list("", "", "a", second, 10)))
        .containsExactly("a " + first, "b " + other + " *");
    assertThat(shown(list("", "", "a", "null", 10))).hasSize(3);
    assertThat(shown(list("", "", "aa", "", 10))).containsExactly("b " + other + " *");
    assertThat(shown(list("", "", "b".repeat(2000), third, 10))).isEmpty();
  }

  @Test
  default void versionsAreChosenByPrefixAndGroupedByDelimiter() {
    String a = put(ENABLED, "a", "x");
    put(ENABLED, "dir/1", "x");
    put(ENABLED, "dir/1", "y");
    put(ENABLED, "dir/2", "x");
    delete("dir/2");
    String z = put(ENABLED, "z", "x");
    assertThat(shown(list("", "/", "", "", 10)))
        .containsExactly("a " + a + " *", "dir/", "z " + z + " *");
    assertThat(shown(list("", "/", "dir/", "", 10))).containsExactly("z " + z + " *");
    assertThat(shown(list("", "/", "dir/", z, 10))).containsExactly("z " + z + " *");
    assertThat(shown(list("dir/", "/", "", "", 10))).hasSize(4);
    assertThat(list("", "/", "", "", 2).truncated()).isTrue();
    assertThat(list("", "/", "", "", 3).truncated()).isFalse();
    assertThat(shown(list("dir/2", "", "", "", 10))).hasSize(2);
  }

  @Test
  default void aKeyWhoseNewestVersionIsADeleteMarkerIsNotListedAmongObjects() {
    put(OFF, "a", "x");
    put(ENABLED, "b", "x");
    put(ENABLED, "b", "y");
    put(ENABLED, "c", "x");
    delete("a");
    delete("c");
    assertThat(keys()).containsExactly("b");
    put("c", "again");
    assertThat(keys()).containsExactly("b", "c");
  }
}
