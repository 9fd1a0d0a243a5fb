package dev.tarn.gateway.policy;

import dev.tarn.gateway.policy.StrictJson.Fields;
import dev.tarn.gateway.policy.StrictJson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

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
    if (operator.endsWith("IpAddress") && key.equalsIgnoreCase(SOURCE_IP)) {
      Condition ofAddress =
          new Condition.SourceAddress(values.stream().map(AddressRange::parse).toList());
      switch (operator) {
        case "IpAddress" -> {
          return ofAddress;
        }
        case "NotIpAddress" -> {
          return new Condition.Not(ofAddress);
        }
        default -> {} // Refused below.
      }
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
            + "; there are IpAddress and NotIpAddress of aws:SourceIp, Bool of aws:SecureTransport,"
            + " and StringEquals, StringNotEquals, StringLike, StringNotLike, each also with"
            + " IfExists, and Null of aws:Referer, s3:prefix, s3:x-amz-acl, s3:x-amz-copy-source,"
            + " s3:x-amz-metadata-directive, s3:RequestObjectTag/KEY and"
            + " s3:ExistingObjectTag/KEY");
  }

  private static Optional<Condition> ofText(
      String operator, ConditionKey key, List<String> values) {
    boolean ifExists = operator.endsWith(IF_EXISTS);
    if ((key.kind() == ConditionKey.Kind.SECURE_TRANSPORT) != operator.startsWith("Bool")) {
      return Optional.empty();
    }
    Set<String> texts = values.stream().map(key::comparable).collect(Collectors.toSet());
    List<PolicyPattern> patterns = texts.stream().map(PolicyPattern::new).toList();
    // A request without the key meets a condition that is negated.
    return switch (operator) {
      case "StringEquals", "StringEquals" + IF_EXISTS ->
          Optional.of(new Condition.TextIs(key, texts, ifExists));
      case "StringNotEquals", "StringNotEquals" + IF_EXISTS ->
          Optional.of(new Condition.Not(new Condition.TextIs(key, texts, false)));
      case "StringLike", "StringLike" + IF_EXISTS ->
          Optional.of(new Condition.TextFits(key, patterns, ifExists));
      case "StringNotLike", "StringNotLike" + IF_EXISTS ->
          Optional.of(new Condition.Not(new Condition.TextFits(key, patterns, false)));
      case "Bool", "Bool" + IF_EXISTS ->
          Optional.of(
              new Condition.TextIs(key, Set.of(Boolean.toString(truth("Bool", values))), ifExists));
      case "Null" -> Optional.of(new Condition.Exists(key, truth("Null", values)));
      default -> Optional.empty();
    };
  }

  private static boolean truth(String operator, List<String> values) {
    if (values.equals(List.of("true"))) {
      return true;
    }
    if (values.equals(List.of("false"))) {
      return false;
    }
    throw Malformed.of(operator + " is " + values + ", must be \"true\" or \"false\"");
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
