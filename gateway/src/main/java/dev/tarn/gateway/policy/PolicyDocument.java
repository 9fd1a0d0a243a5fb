package dev.tarn.gateway.policy;

import dev.tarn.cluster.control.BucketChange;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.policy.StrictJson.Fields;
import dev.tarn.gateway.policy.StrictJson.Items;
import dev.tarn.gateway.policy.StrictJson.Text;
import dev.tarn.gateway.policy.StrictJson.Value;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Parses policies and refuses everything that is not supported. If a part of a policy were ignored,
 * the policy could allow what its author meant to deny.
 */
public final class PolicyDocument {
  private static final Set<String> VERSIONS = Set.of("2012-10-17", "2008-10-17");

  private PolicyDocument() {}

  /**
   * Parses the policy of a bucket.
   *
   * @throws S3Exception MalformedPolicy with the reason
   */
  public static Policy read(byte[] document, String bucket) {
    if (document.length > BucketChange.SetPolicy.BYTES_MAX) {
      throw Malformed.of(
          "The policy has "
              + document.length
              + " bytes, may have "
              + BucketChange.SetPolicy.BYTES_MAX);
    }
    Fields root = json(document);
    Value statements = null;
    for (var field : root.byName().entrySet()) {
      switch (field.getKey()) {
        case "Version" -> requireVersion(text("Version", field.getValue()));
        case "Id" -> text("Id", field.getValue());
        case "Statement" -> statements = field.getValue();
        default -> throw unknown(field.getKey());
      }
    }
    if (statements == null) {
      throw missing("Statement");
    }
    List<Statement> read = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (Value value : each(statements)) {
      if (!(value instanceof Fields fields)) {
        throw Malformed.of("Invalid policy syntax: a Statement must be an object");
      }
      read.add(statement(fields, bucket, ids));
    }
    if (read.isEmpty()) {
      throw missing("Statement");
    }
    return new Policy(read);
  }

  private static Fields json(byte[] document) {
    try {
      return StrictJson.read(document);
    } catch (IOException e) {
      throw Malformed.of(
          "Policies must be valid JSON and the first byte must be '{', with nothing but objects,"
              + " lists and texts, and no field twice");
    }
  }

  private static void requireVersion(String version) {
    if (!VERSIONS.contains(version)) {
      throw Malformed.of("The policy must contain a valid version string, not " + version);
    }
  }

  private static Statement statement(Fields fields, String bucket, Set<String> ids) {
    Boolean deny = null;
    Principals principals = null;
    List<String> actions = null;
    List<PolicyPattern> resources = null;
    List<Condition> conditions = List.of();
    for (var field : fields.byName().entrySet()) {
      Value value = field.getValue();
      switch (field.getKey()) {
        case "Sid" -> requireUnique(text("Sid", value), ids);
        case "Effect" -> deny = isDeny(text("Effect", value));
        case "Principal" -> principals = PrincipalElement.read(value, false);
        case "NotPrincipal" -> principals = PrincipalElement.read(value, true);
        case "Action", "NotAction" -> actions = texts(field.getKey(), value);
        case "Resource" -> resources = resources(texts("Resource", value), bucket);
        case "Condition" -> conditions = ConditionElement.read(value);
        default -> throw unknown(field.getKey());
      }
    }
    refuseBoth(fields, "Principal");
    refuseBoth(fields, "Action");
    if (deny == null) {
      throw missing("Effect");
    }
    if (principals == null) {
      throw missing("Principal");
    }
    if (actions == null) {
      throw missing("Action");
    }
    if (resources == null) {
      throw missing("Resource");
    }
    Set<Action> chosen =
        ActionElement.read(
            actions, fields.byName().containsKey("NotAction"), subjects(resources, bucket));
    if (!chosen.isEmpty()
        && !conditions.stream().allMatch(condition -> condition.appliesTo(chosen))) {
      throw Malformed.of(
          "Conditions do not apply to combination of actions and resources in statement:"
              + " no action has the key of each condition");
    }
    return new Statement(deny, principals, chosen, resources, conditions);
  }

  private static void refuseBoth(Fields statement, String element) {
    if (statement.byName().containsKey(element)
        && statement.byName().containsKey("Not" + element)) {
      throw Malformed.of(
          "Invalid policy syntax: a Statement must have "
              + element
              + " or Not"
              + element
              + ", not both");
    }
  }

  private static void requireUnique(String id, Set<String> ids) {
    // Clients of MinIO write an empty id if they mean none.
    if (!id.isEmpty() && !ids.add(id)) {
      throw Malformed.of("Statement IDs (SID) in a single policy must be unique: " + id);
    }
  }

  private static boolean isDeny(String effect) {
    return switch (effect) {
      case "Allow" -> false;
      case "Deny" -> true;
      default -> throw Malformed.of("Invalid effect: " + effect);
    };
  }

  private static List<PolicyPattern> resources(List<String> texts, String bucket) {
    List<PolicyPattern> resources = new ArrayList<>(texts.size());
    String start = "arn:aws:s3:::" + bucket;
    for (String text : texts) {
      // All resources are those of this bucket.
      String all = text.equals("*") ? start + "*" : text;
      String rest = all.startsWith(start) ? all.substring(start.length()) : "no";
      // A wildcard may follow the name directly. What the pattern matches is still in this bucket.
      if (!(rest.isEmpty() || rest.startsWith("/") || rest.startsWith("*"))
          || rest.contains("${")) {
        throw Malformed.of("Policy has invalid resource: " + text);
      }
      resources.add(new PolicyPattern(bucket + rest));
    }
    return resources;
  }

  /** The kinds of resources that the patterns can match. */
  private static Set<Action.Subject> subjects(List<PolicyPattern> resources, String bucket) {
    Set<Action.Subject> subjects = new HashSet<>();
    for (PolicyPattern resource : resources) {
      String rest = resource.pattern().substring(bucket.length());
      if (!rest.startsWith("/")) {
        subjects.add(Action.Subject.BUCKET);
      }
      if (!rest.isEmpty()) {
        subjects.add(Action.Subject.OBJECT);
      }
    }
    return subjects;
  }

  /** The texts of an element that has one text or a list of texts. */
  static List<String> texts(String element, Value value) {
    List<String> texts = each(value).stream().map(each -> text(element, each)).toList();
    if (texts.isEmpty()) {
      throw missing(element);
    }
    return texts;
  }

  private static List<Value> each(Value value) {
    return value instanceof Items items ? items.values() : List.of(value);
  }

  private static String text(String element, Value value) {
    if (value instanceof Text text) {
      return text.text();
    }
    throw Malformed.of("Invalid policy syntax: " + element + " must be text");
  }

  private static S3Exception missing(String element) {
    return Malformed.of("Missing required field " + element);
  }

  private static S3Exception unknown(String element) {
    return Malformed.of("Unknown field " + element + ", which is not implemented");
  }
}
