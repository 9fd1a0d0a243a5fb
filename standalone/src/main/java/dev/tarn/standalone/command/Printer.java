package dev.tarn.standalone.command;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints the admin API's documents: as JSON, or lists as tables and single documents as lines. */
record Printer(PrintWriter out, boolean json) {
  /** Prints a list of documents as a table with these fields as columns. */
  void table(JsonObject answer, String list, String... fields) {
    if (json) {
      document(answer);
      return;
    }
    List<String[]> rows = new ArrayList<>();
    rows.add(List.of(fields).stream().map(Printer::title).toArray(String[]::new));
    JsonArray items = answer.getJsonArray(list);
    for (int i = 0; i < items.size(); i++) {
      JsonObject item = items.getJsonObject(i);
      rows.add(List.of(fields).stream().map(field -> value(item, field)).toArray(String[]::new));
    }
    int[] widths = new int[fields.length];
    for (String[] row : rows) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], row[column].length());
      }
    }
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < widths.length; column++) {
        line.append(row[column]).repeat(' ', widths[column] - row[column].length() + 2);
      }
      out.println(line.toString().stripTrailing());
    }
    out.flush();
  }

  /** Prints a document: one line for each field, sections indented. */
  void document(JsonObject answer) {
    if (json) {
      out.println(answer.encode());
    } else {
      lines(answer, "");
    }
    out.flush();
  }

  /** Prints a line of progress. */
  void line(String text) {
    out.println(text);
    out.flush();
  }

  /** Prints the answer as JSON, or this sentence in its place. */
  void sentence(JsonObject answer, String text) {
    out.println(json ? answer.encode() : text);
    out.flush();
  }

  private void lines(JsonObject document, String indent) {
    for (Map.Entry<String, Object> field : document) {
      String name = indent + title(field.getKey()).toLowerCase(Locale.ROOT) + ":";
      Object value = document.getValue(field.getKey());
      if (value instanceof JsonObject section) {
        out.println(name);
        lines(section, indent + "  ");
      } else if (value instanceof JsonArray list) {
        out.println(name + (list.isEmpty() ? " none" : ""));
        items(list, indent + "  ");
      } else {
        out.println(name + " " + (value == null ? "none" : value));
      }
    }
  }

  private void items(JsonArray list, String indent) {
    for (Object item : list) {
      if (item instanceof JsonObject section) {
        lines(section, indent);
      } else {
        out.println(indent + item);
      }
    }
  }

  private static String title(String field) {
    String last = field.substring(field.lastIndexOf('.') + 1);
    return last.replace('_', ' ').toUpperCase(Locale.ROOT);
  }

  private static String value(JsonObject item, String field) {
    int dot = field.indexOf('.');
    if (dot < 0) {
      Object value = item.getValue(field);
      return value == null ? "-" : value.toString();
    }
    return value(item.getJsonObject(field.substring(0, dot)), field.substring(dot + 1));
  }
}
