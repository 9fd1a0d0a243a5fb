package dev.tarn.cluster.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.object.AccessList.Permission;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccessListTest {
  private static final AccessList MIXED =
      AccessList.PUBLIC_READ
          .with(Permission.READ, "bob")
          .with(Permission.WRITE_ACP, AccessList.EVERY_USER)
          .with(Permission.FULL_CONTROL, "carol");

  @Test
  void textComesBackAsItWent() {
    assertThat(MIXED.text()).isEqualTo("READ=*,bob WRITE_ACP=+ FULL_CONTROL=carol");
    assertThat(AccessList.parse(MIXED.text())).isEqualTo(MIXED);
    assertThat(AccessList.parse("")).isEqualTo(AccessList.PRIVATE);
    assertThat(AccessList.parse("public-read")).isEqualTo(AccessList.PUBLIC_READ);
  }

  @Test
  void fullControlIsAllPermissions() {
    for (Permission permission : Permission.values()) {
      assertThat(MIXED.allows(permission, "carol")).isTrue();
    }
    assertThat(MIXED.allows(Permission.READ, null)).isTrue();
    assertThat(MIXED.allows(Permission.WRITE_ACP, null)).isFalse();
    assertThat(MIXED.allows(Permission.WRITE_ACP, "anyone")).isTrue();
    assertThat(MIXED.allows(Permission.WRITE, "bob")).isFalse();
  }

  @Test
  void withoutGroupsOnlyUsersAreLeft() {
    assertThat(MIXED.isPublic()).isTrue();
    assertThat(MIXED.withoutGroups().text()).isEqualTo("READ=bob FULL_CONTROL=carol");
    assertThat(MIXED.withoutGroups().isPublic()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"READ", "READ=", "SOME=bob", "READ=a  b", "READ=a, WRITE=b", " "})
  void otherTextIsNone(String text) {
    assertThatThrownBy(() -> AccessList.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
