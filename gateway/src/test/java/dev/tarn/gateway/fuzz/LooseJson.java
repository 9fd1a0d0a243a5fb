package dev.tarn.gateway.fuzz;

import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Writes maps, lists, texts and numbers as JSON, spaced and escaped by chance. */
public final class LooseJson {
  /** One place in so many is written otherwise than in the plainest way. */
  private static final int ODD_EVERY = 16;

  private static final HexFormat HEX = HexFormat.of();
  private static final List<String> SPACES = List.of(" ", "\n", "\t", "\r\n", "   ");

  private final SplittableRandom random;
  private final StringBuilder json = new StringBuilder();

  private LooseJson(SplittableRandom random) {
    this.random = random;
  }

  /** The JSON of a value. */
  public static String write(Object value, SplittableRandom random) {
    LooseJson writer = new LooseJson(random);
    writer.value(value);
    return writer.json.toString();
  }

  private void value(Object value) {
    space();
    switch (value) {
      case Map<?, ?> fields -> fields(fields);
      case List<?> items -> items(items);
      case Number number -> json.append(number);
      default -> text(value.toString());
    }
    space();
  }

  private void fields(Map<?, ?> fields) {
    json.append('{');
    space();
    Iterator<? extends Map.Entry<?, ?>> each = fields.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<?, ?> field = each.next();
      space();
      text(field.getKey().toString());
      space();
      json.append(':');
      value(field.getValue());
      json.append(each.hasNext() ? "," : "");
    }
    json.append('}');
  }

  private void items(List<?> items) {
    json.append('[');
    space();
    for (int i = 0; i < items.size(); i++) {
      json.append(i == 0 ? "" : ",");
      value(items.get(i));
    }
    json.append(']');
  }

  private void text(String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char next = text.charAt(i);
      if (next == '"' || next == '\\' || (next == '/' && isOdd())) {
        json.append('\\').append(next);
      } else if (next < ' ' || Character.isSurrogate(next) || isOdd()) {
        json.append("\\u").append(HEX.toHexDigits(next));
      } else {
        json.append(next);
      }
    }
    json.append('"');
  }

  private void space() {
    if (isOdd()) {
      json.append(SPACES.get(random.nextInt(SPACES.size())));
    }
  }

  private boolean isOdd() {
    return random.nextInt(ODD_EVERY) == 0;
  }
}
