package dev.tarn.gateway.policy;

import dev.tarn.gateway.policy.StrictJson.Fields;
import dev.tarn.gateway.policy.StrictJson.Text;
import dev.tarn.gateway.policy.StrictJson.Value;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the principals of a statement. */
final class PrincipalElement {
  private static final String EVERYBODY = "*";
  private static final Pattern USER_ARN =
      Pattern.compile("arn:aws:iam::[0-9a-zA-Z-]*:user/(?:[^*?]+/)?([^/*?]+)");

  private PrincipalElement() {}

  /**
   * The principals of an element.
   *
   * @param negated whether the element is NotPrincipal
   */
  static Principals read(Value value, boolean negated) {
    if (value instanceof Text text && text.text().equals(EVERYBODY)) {
      return new Principals(true, Set.of(), negated);
    }
    if (!(value instanceof Fields fields) || !fields.byName().keySet().equals(Set.of("AWS"))) {
      throw Malformed.of(
          "Invalid principal in policy: it must be \"*\" or have the field AWS alone");
    }
    boolean everybody = false;
    Set<String> users = new HashSet<>();
    for (Value each : fields.byName().values()) {
      for (String text : PolicyDocument.texts("Principal", each)) {
        if (text.equals(EVERYBODY)) {
          everybody = true;
        } else {
          users.add(user(text));
        }
      }
    }
    return new Principals(everybody, users, negated);
  }

  private static String user(String text) {
    if (text.isEmpty() || !text.startsWith("arn:")) {
      return text;
    }
    Matcher arn = USER_ARN.matcher(text);
    if (!arn.matches()) {
      throw Malformed.of("Invalid principal in policy: " + text);
    }
    return arn.group(1);
  }
}
