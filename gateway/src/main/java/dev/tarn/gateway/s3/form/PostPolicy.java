package dev.tarn.gateway.s3.form;

import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.policy.StrictJson;
import dev.tarn.gateway.policy.StrictJson.Fields;
import dev.tarn.gateway.policy.StrictJson.Items;
import dev.tarn.gateway.policy.StrictJson.Text;
import dev.tarn.gateway.policy.StrictJson.Value;
import dev.tarn.gateway.policy.StrictJson.Whole;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The conditions of the signer of a form: the time limit, the fields with their values, and the
 * size of the file. A form is refused if one condition does not hold. It is also refused if a field
 * or the bucket has no condition.
 */
public final class PostPolicy {
  private static final Set<String> WITHOUT_CONDITION =
      Set.of("x-amz-signature", "file", "policy", "awsaccesskeyid", "signature", "submit");

  private static final String IGNORED_PREFIX = "x-ignore-";
  private static final String BUCKET = "bucket";

  private final Instant expiration;
  private final List<Condition> conditions;
  private final long bytesMin;
  private final long bytesMax;

  private PostPolicy(Instant expiration, List<Condition> conditions, long bytesMin, long bytesMax) {
    this.expiration = expiration;
    this.conditions = conditions;
    this.bytesMin = bytesMin;
    this.bytesMax = bytesMax;
  }

  /**
   * The required value of a field.
   *
   * @param exact whether the field must equal {@code value}; otherwise the field must begin with it
   */
  private record Condition(String field, String value, boolean exact) {
    boolean holds(String actual) {
      if (exact) {
        return actual.equals(value);
      }
      // As on AWS, a list of content types begins with the value if each of them does.
      return field.equals("content-type")
          ? Arrays.stream(actual.split(",", -1)).allMatch(type -> type.strip().startsWith(value))
          : actual.startsWith(value);
    }

    @Override
    public String toString() {
      return "[\"" + (exact ? "eq" : "starts-with") + "\", \"$" + field + "\", \"" + value + "\"]";
    }
  }

  /**
   * Parses a policy.
   *
   * @param base64 as the form has it
   * @throws S3Exception InvalidPolicyDocument
   */
  public static PostPolicy parse(String base64) {
    try {
      Map<String, Value> policy = StrictJson.read(Base64.getDecoder().decode(base64)).byName();
      Instant expiration = Instant.parse(text(policy.get("expiration")));
      List<Condition> conditions = new ArrayList<>();
      long[] range = {0, Long.MAX_VALUE};
      for (Value condition : items(policy.get("conditions"))) {
        add(condition, conditions, range);
      }
      return new PostPolicy(expiration, conditions, range[0], range[1]);
    } catch (DateTimeException e) {
      throw invalid("its expiration is not an ISO 8601 time");
    } catch (IOException | IllegalArgumentException e) {
      throw invalid("it is not a JSON object in Base64");
    }
  }

  private static void add(Value condition, List<Condition> conditions, long[] range) {
    if (condition instanceof Fields equality) {
      if (equality.byName().size() != 1) {
        throw invalid("an object among the conditions must have one field");
      }
      equality
          .byName()
          .forEach((field, value) ->
              conditions.add(new Condition(lower(field), textOrNumber(value), true)));
      return;
    }
    List<Value> triple = items(condition);
    if (triple.size() != 3) {
      throw invalid("a condition must be an object or have three elements");
    }
    String operator = lower(text(triple.getFirst()));
    switch (operator) {
      case "eq", "starts-with" -> {
        String field = text(triple.get(1));
        if (!field.startsWith("$")) {
          throw invalid("a condition's field must begin with $: " + field);
        }
        String value = textOrNumber(triple.get(2));
        conditions.add(new Condition(lower(field.substring(1)), value, operator.equals("eq")));
      }
      case "content-length-range" -> {
        range[0] = Math.max(range[0], Long.parseLong(textOrNumber(triple.get(1))));
        range[1] = Math.min(range[1], Long.parseLong(textOrNumber(triple.get(2))));
      }
      default -> throw invalid("the condition " + operator + " is unknown");
    }
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  private static List<Value> items(@Nullable Value value) {
    if (value instanceof Items items) {
      return items.values();
    }
    throw invalid("it must have a list of conditions, each of them a list or an object");
  }

  private static String text(@Nullable Value value) {
    if (value instanceof Text text) {
      return text.text();
    }
    throw invalid("its expiration and the names and values of its conditions must be text");
  }

  private static String textOrNumber(Value value) {
    return value instanceof Whole whole ? Long.toString(whole.number()) : text(value);
  }

  private static S3Exception invalid(String why) {
    return S3Exception.of(
        S3ErrorCode.INVALID_POLICY_DOCUMENT,
        "The content of the form does not meet the conditions specified in the policy document: "
            + why
            + ".");
  }

  /**
   * Checks a form against the policy.
   *
   * @param bucket that receives the form
   * @throws S3Exception AccessDenied, which names the failed condition; KeyTooLongError
   */
  public void check(FormFields form, String bucket, Instant now) {
    if (!now.isBefore(expiration)) {
      throw denied("Policy expired.");
    }
    String key = form.key();
    Set<String> covered = new HashSet<>();
    for (Condition condition : conditions) {
      String actual =
          switch (condition.field()) {
            case BUCKET -> bucket;
            case "key" -> key;
            default -> form.find(condition.field()).orElse("");
          };
      if (!condition.holds(actual)) {
        throw denied("Policy Condition failed: " + condition);
      }
      covered.add(condition.field());
    }
    // No other signed part of the form names the bucket.
    if (!covered.contains(BUCKET)) {
      throw denied("Extra input fields: " + BUCKET);
    }
    for (String field : form.values().keySet()) {
      if (!covered.contains(field)
          && !WITHOUT_CONDITION.contains(field)
          && !field.startsWith(IGNORED_PREFIX)) {
        throw denied("Extra input fields: " + field);
      }
    }
  }

  /**
   * Checks the size of the whole file.
   *
   * @throws S3Exception EntityTooSmall, EntityTooLarge
   */
  public void checkLength(long fileBytes) {
    if (fileBytes < bytesMin) {
      throw S3Exception.of(S3ErrorCode.ENTITY_TOO_SMALL)
          .with("ProposedSize", Long.toString(fileBytes))
          .with("MinSizeAllowed", Long.toString(bytesMin));
    }
    checkLengthSoFar(fileBytes);
  }

  /**
   * Checks the number of bytes that have arrived so far.
   *
   * @throws S3Exception EntityTooLarge
   */
  public void checkLengthSoFar(long fileBytes) {
    if (fileBytes > bytesMax) {
      throw S3Exception.of(S3ErrorCode.ENTITY_TOO_LARGE)
          .with("ProposedSize", Long.toString(fileBytes))
          .with("MaxSizeAllowed", Long.toString(bytesMax));
    }
  }

  private static S3Exception denied(String why) {
    return S3Exception.of(S3ErrorCode.ACCESS_DENIED, "Invalid according to Policy: " + why);
  }
}
