package dev.tarn.gateway.policy;

import dev.tarn.gateway.policy.StrictJson.Fields;
import dev.tarn.gateway.policy.StrictJson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Parses the conditions of a statement. */
final class ConditionElement {
  private static final String SOURCE_IP = "aws:SourceIp";
  private static final String PREFIX = "s3:prefix";

  private ConditionElement() {}

  static List<Condition> read(Value value) {
    List<Condition> conditions = new ArrayList<>();
    for (var operator : fields(value).byName().entrySet()) {
      for (var key : fields(operator.getValue()).byName().entrySet()) {
        List<String> values = PolicyDocument.texts("Condition", key.getValue());
        values.forEach(ConditionElement::refuseVariable);
        conditions.add(condition(operator.getKey(), key.getKey(), values));
      }
    }
    return conditions;
  }

  private static Condition condition(String operator, String key, List<String> values) {
    if (operator.equals("IpAddress") && key.equalsIgnoreCase(SOURCE_IP)) {
      return new Condition.SourceAddress(values.stream().map(AddressRange::parse).toList());
    }
    if (operator.equals("StringEquals") && key.equalsIgnoreCase(PREFIX)) {
      return new Condition.PrefixIs(Set.copyOf(values));
    }
    if (operator.equals("StringLike") && key.equalsIgnoreCase(PREFIX)) {
      return new Condition.PrefixFits(values.stream().map(PolicyPattern::new).toList());
    }
    throw Malformed.of(
        "Policy has an invalid condition: "
            + operator
            + " of "
            + key
            + "; there are IpAddress of aws:SourceIp, and StringEquals and StringLike of"
            + " s3:prefix");
  }

  private static void refuseVariable(String value) {
    if (value.contains("${")) {
      throw Malformed.of("Policy variables are not implemented: " + value);
    }
  }

  private static Fields fields(Value value) {
    if (value instanceof Fields fields) {
      return fields;
    }
    throw Malformed.of("Invalid policy syntax: Condition must have operators, and these keys");
  }
}
