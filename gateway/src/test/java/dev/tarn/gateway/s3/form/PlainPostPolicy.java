package dev.tarn.gateway.s3.form;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What the policy of a form allows, told in the plainest way by another reader of its JSON. */
final class PlainPostPolicy {
  private static final Set<String> FREE =
      Set.of("x-amz-signature", "file", "policy", "awsaccesskeyid", "signature", "submit");

  private final JsonObject policy;

  PlainPostPolicy(String json) {
    policy = new JsonObject(json);
  }

  private record Condition(String operator, String field, String value) {}

  private List<Condition> conditions() {
    List<Condition> conditions = new ArrayList<>();
    for (Object condition : policy.getJsonArray("conditions")) {
      if (condition instanceof JsonObject fields) {
        fields.forEach(field ->
            conditions.add(
                new Condition("eq", lower(field.getKey()), field.getValue().toString())));
      } else if (condition instanceof JsonArray triple) {
        conditions.add(
            new Condition(
                lower(triple.getString(0)),
                triple.getString(1).replaceFirst("^\\$", "").toLowerCase(Locale.ROOT),
                triple.getValue(2).toString()));
      }
    }
    return conditions;
  }

  boolean allows(FormFields form, String bucket, Instant now) {
    if (!now.isBefore(Instant.parse(policy.getString("expiration")))) {
      return false;
    }
    Map<String, String> said = new HashMap<>(form.values());
    said.replaceAll((name, value) -> value.replace("${filename}", form.fileName()));
    Set<String> unsaid = new HashSet<>(form.values().keySet());
    unsaid.removeAll(FREE);
    unsaid.removeIf(name -> name.startsWith("x-ignore-"));
    said.put("bucket", bucket);
    unsaid.add("bucket");
    for (Condition condition : conditions()) {
      String value = said.getOrDefault(condition.field, "");
      boolean holds =
          switch (condition.operator) {
            case "eq" -> value.equals(condition.value);
            case "starts-with" -> {
              String[] parts =
                  condition.field.equals("content-type")
                      ? value.split(",", -1)
                      : new String[] {value};
              boolean all = true;
              for (String part : parts) {
                all &= (parts.length == 1 ? part : part.strip()).startsWith(condition.value);
              }
              yield all;
            }
            default -> true;
          };
      if (!holds) {
        return false;
      }
      if (!condition.operator.equals("content-length-range")) {
        unsaid.remove(condition.field);
      }
    }
    return unsaid.isEmpty();
  }

  boolean allowsLength(long bytes) {
    return conditions().stream()
        .filter(condition -> condition.operator.equals("content-length-range"))
        .allMatch(range ->
            new BigDecimal(range.field).compareTo(BigDecimal.valueOf(bytes)) <= 0
                && new BigDecimal(range.value).compareTo(BigDecimal.valueOf(bytes)) >= 0);
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}
