package dev.tarn.shard.tar;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PaxRecordsTest {
  @Test
  void pathAndSizeAreTakenAndTheRestIsPassedOver() {
    Map<String, String> records = new HashMap<>();

    String problem =
        PaxRecords.parse(
            ByteBuffer.wrap("20 mtime=1234567.89\n12 path=a=b\n13 size=1234\n".getBytes(UTF_8)),
            records);

    assertThat(problem).isNull();
    assertThat(records).isEqualTo(Map.of("path", "a=b", "size", "1234"));
  }

  @Test
  void emptyValueTakesAKeyAway() {
    Map<String, String> records = new HashMap<>(Map.of("path", "global"));

    assertThat(PaxRecords.parse(ByteBuffer.wrap("8 path=\n".getBytes(UTF_8)), records)).isNull();
    assertThat(records).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "path=a\n",
        "0 path=a\n",
        "3 a\n",
        "11 path=a\n",
        "9 path=ab\n",
        "99999999999999 a=b\n",
        "5 ab\n",
        "10 path=a\n10",
        "-1 a=b\n",
        "2 ",
      })
  void malformedRecordIsAProblem(String records) {
    assertThat(PaxRecords.parse(ByteBuffer.wrap(records.getBytes(UTF_8)), new HashMap<>()))
        .isNotNull();
  }

  @Test
  void manySignsOfASparseMemberTakeTheMemoryOfOne() {
    Map<String, String> target = new HashMap<>();
    for (int i = 100; i < 999; i++) {
      assertThat(
              PaxRecords.parse(
                  ByteBuffer.wrap(("20 GNU.sparse." + i + "=1\n").getBytes(UTF_8)), target))
          .isNull();
    }

    assertThat(PaxRecords.isSparse(target)).isTrue();
    assertThat(target).hasSize(1);
  }
}
