package dev.tarn.gateway.policy;

import dev.tarn.gateway.policy.StrictJson.Fields;
import dev.tarn.gateway.policy.StrictJson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Parses the conditions of a statement. */
final class ConditionElement {
  private static final String SOURCE_IP = "aws:SourceIp";
  private static final String IF_EXISTS = "IfExists";

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
    Optional<ConditionKey> named = ConditionKey.of(key);
    if (named.isPresent()) {
      Optional<Condition> condition = ofText(operator, named.orElseThrow(), values);
      if (condition.isPresent()) {
        return condition.orElseThrow();
      }
    }
    throw Malformed.of(
        "Policy has an invalid condition: "
            + operator
            + " of "
            + key
            + "; there are IpAddress of aws:SourceIp, and StringEquals, StringLike, both with"
            + " IfExists, and Null of s3:prefix, s3:x-amz-acl, s3:x-amz-copy-source,"
            + " s3:x-amz-metadata-directive, s3:RequestObjectTag/KEY and"
            + " s3:ExistingObjectTag/KEY");
  }

  private static Optional<Condition> ofText(
      String operator, ConditionKey key, List<String> values) {
    boolean ifExists = operator.endsWith(IF_EXISTS);
    List<String> texts = values.stream().map(key::comparable).toList();
    return switch (operator) {
      case "StringEquals", "StringEquals" + IF_EXISTS ->
          Optional.of(new Condition.TextIs(key, Set.copyOf(texts), ifExists));
      case "StringLike", "StringLike" + IF_EXISTS ->
          Optional.of(
              new Condition.TextFits(
                  key, texts.stream().map(PolicyPattern::new).toList(), ifExists));
      case "Null" -> Optional.of(new Condition.Exists(key, isNull(values)));
      default -> Optional.empty();
    };
  }

  private static boolean isNull(List<String> values) {
    if (values.equals(List.of("true"))) {
      return true;
    }
    if (values.equals(List.of("false"))) {
      return false;
    }
    throw Malformed.of("Null is " + values + ", must be \"true\" or \"false\"");
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
