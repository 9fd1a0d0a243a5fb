package dev.tarn.gateway.policy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.fuzz.FuzzInput;
import dev.tarn.gateway.fuzz.LooseJson;
import dev.tarn.gateway.fuzz.ParserFuzz;
import dev.tarn.gateway.policy.StrictJson.Fields;
import dev.tarn.gateway.policy.StrictJson.Items;
import dev.tarn.gateway.policy.StrictJson.Text;
import dev.tarn.gateway.policy.StrictJson.Value;
import dev.tarn.gateway.policy.StrictJson.Whole;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** What is read is what another reader of JSON sees, and comes back however it is written. */
class StrictJsonFuzz extends ParserFuzz {
  private static final int DEPTH_MAX = 8;

  private static final List<String> TEXTS =
      List.of("", "a", "b", "\"", "\\", "/", "\n", "\u0000", "é", "\uD83D\uDE00", "\u2028", "a b");

  StrictJsonFuzz() {
    super(
        texts(
            "{\"a\":\"b\",\"c\":[\"d\",{\"e\":1}],\"f\":{}}",
            "{\"\":[[],[[]],\"\\u0000\\ud83d\\ude00\\n\\/\"],\"n\":-9223372036854775808}",
            " { \"a\" : 0 }\n"),
        Set.of(IOException.class));
  }

  @Override
  protected void parse(FuzzInput input) throws IOException {
    Fields fields = StrictJson.read(input.bytes());
    Object plain = plain(fields, 1);
    assertThat(otherReaders(new JsonObject(new String(input.bytes(), UTF_8)))).isEqualTo(plain);
    byte[] written = LooseJson.write(plain, input.random()).getBytes(UTF_8);
    assertThat(StrictJson.read(written)).isEqualTo(fields);
  }

  private static Object plain(Value value, int level) {
    return switch (value) {
      case Fields(Map<String, Value> byName) -> {
        assertThat(level).isLessThanOrEqualTo(DEPTH_MAX);
        Map<String, Object> fields = new LinkedHashMap<>();
        byName.forEach((name, field) -> fields.put(name, plain(field, level + 1)));
        yield fields;
      }
      case Items(List<Value> values) -> {
        assertThat(level).isLessThanOrEqualTo(DEPTH_MAX);
        yield values.stream().map(item -> plain(item, level + 1)).toList();
      }
      case Text(String text) -> text;
      case Whole(long number) -> number;
    };
  }

  private static Object otherReaders(Object value) {
    return switch (value) {
      case JsonObject object -> {
        Map<String, Object> fields = new LinkedHashMap<>();
        object.forEach(field -> fields.put(field.getKey(), otherReaders(field.getValue())));
        yield fields;
      }
      case JsonArray array -> {
        List<Object> items = new ArrayList<>();
        array.forEach(item -> items.add(otherReaders(item)));
        yield items;
      }
      case Number number -> number.longValue();
      default -> value;
    };
  }

  @Override
  protected byte @Nullable [] valid(SplittableRandom random) {
    return random.nextBoolean() ? null : LooseJson.write(fields(random, 1), random).getBytes(UTF_8);
  }

  private static Map<String, Object> fields(SplittableRandom random, int level) {
    Map<String, Object> fields = new LinkedHashMap<>();
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      fields.put(i + text(random), value(random, level + 1));
    }
    return fields;
  }

  private static Object value(SplittableRandom random, int level) {
    return switch (random.nextInt(level > DEPTH_MAX ? 2 : 4)) {
      case 0 -> text(random);
      case 1 -> random.nextLong() >> random.nextInt(64);
      case 2 -> fields(random, level);
      default -> {
        List<Object> items = new ArrayList<>();
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
          items.add(value(random, level + 1));
        }
        yield items;
      }
    };
  }

  private static String text(SplittableRandom random) {
    return TEXTS.get(random.nextInt(TEXTS.size())) + TEXTS.get(random.nextInt(TEXTS.size()));
  }

  @Override
  protected List<String> vocabulary() {
    return List.of(
        "\"a\":",
        ",\"a\":1",
        "\\u0000",
        "\\ud800",
        "\\udc00",
        "\\x",
        "\\",
        "/* c */",
        "// c\n",
        "# c\n",
        "1e400",
        "-0",
        "01",
        "false",
        "NaN",
        "'",
        "[]",
        "{}",
        "[[[[[[[[",
        ",");
  }

  /** It is read by two readers, written and read again here. */
  @Override
  protected int allocatedPerByteMax() {
    return 512;
  }

  /** That of a policy, which is the longest that is read. */
  @Override
  protected int lengthMax() {
    return 20 << 10;
  }
}
