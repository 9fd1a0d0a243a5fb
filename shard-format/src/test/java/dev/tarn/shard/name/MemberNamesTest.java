package dev.tarn.shard.name;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class MemberNamesTest {
  @Test
  void utf8IsItself() {
    for (String name : new String[] {"", "a/b.jpg", "é", "日本.png", "\ud83d\ude00.txt"}) {
      assertThat(MemberNames.decode(name.getBytes(UTF_8))).isEqualTo(name);
      assertThat(MemberNames.encode(name)).isEqualTo(name.getBytes(UTF_8));
    }
  }

  @Test
  void bytesThatAreNotUtf8BecomeLoneSurrogates() {
    byte[] latin1 = {'c', 'a', 'f', (byte) 0xe9, '.', 'j'};

    assertThat(MemberNames.decode(latin1)).isEqualTo("caf\udce9.j");
    assertThat(MemberNames.printable("caf\udce9.j")).isEqualTo("\"caf\\udce9.j\"");
  }

  @Test
  void everyStringOfBytesSurvivesTheRoundTrip() {
    Random random = new Random(1);
    byte[] usual = "a/.é日😀".getBytes(UTF_8);
    for (int round = 0; round < 20_000; round++) {
      byte[] name = new byte[random.nextInt(12)];
      for (int i = 0; i < name.length; i++) {
        boolean any = random.nextInt(3) == 0;
        name[i] = any ? (byte) random.nextInt() : usual[random.nextInt(usual.length)];
      }
      assertThat(MemberNames.encode(MemberNames.decode(name))).isEqualTo(name);
    }
  }

  @Test
  void namesAreComparedByTheirBytes() {
    Random random = new Random(2);
    for (int round = 0; round < 20_000; round++) {
      byte[] left = new byte[random.nextInt(5)];
      byte[] right = new byte[random.nextInt(5)];
      random.nextBytes(left);
      random.nextBytes(right);

      int order = MemberNames.compare(MemberNames.decode(left), MemberNames.decode(right));

      assertThat(Integer.signum(order))
          .isEqualTo(Integer.signum(Arrays.compareUnsigned(left, right)));
    }
  }

  @Test
  void surrogateThatNoBytesDecodeToIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> MemberNames.encode("a\ud800"));
  }
}
