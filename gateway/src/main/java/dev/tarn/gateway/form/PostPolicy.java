package dev.tarn.gateway.form;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What the signer of a form allows: until when, which fields with which values, and how many bytes.
 * A form is refused as a whole if one condition does not hold, or a field has none.
 */
public final class PostPolicy {
  private static final Set<String> WITHOUT_CONDITION =
      Set.of("x-amz-signature", "file", "policy", "awsaccesskeyid", "signature", "submit");

  private static final String IGNORED_PREFIX = "x-ignore-";

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
   * What a field must be.
   *
   * @param exact whether all of it must be {@code value}, or its beginning
   */
  private record Condition(String field, String value, boolean exact) {
    boolean holds(String actual) {
      return exact ? actual.equals(value) : actual.startsWith(value);
    }

    @Override
    public String toString() {
      return "[\"" + (exact ? "eq" : "starts-with") + "\", \"$" + field + "\", \"" + value + "\"]";
    }
  }

  /**
   * Reads a policy.
   *
   * @param base64 as the form has it
   * @throws S3Exception InvalidPolicyDocument
   */
  public static PostPolicy parse(String base64) {
    try {
      JsonObject policy = new JsonObject(new String(Base64.getDecoder().decode(base64), UTF_8));
      String expiration = policy.getString("expiration");
      JsonArray listed = policy.getJsonArray("conditions");
      if (expiration == null || listed == null) {
        throw invalid("it must have expiration and conditions");
      }
      List<Condition> conditions = new ArrayList<>();
      long[] range = {0, Long.MAX_VALUE};
      for (Object condition : listed) {
        add(condition, conditions, range);
      }
      return new PostPolicy(Instant.parse(expiration), conditions, range[0], range[1]);
    } catch (DateTimeException e) {
      throw invalid("its expiration is no time in ISO 8601");
    } catch (DecodeException | IllegalArgumentException | ClassCastException e) {
      throw invalid("it is not JSON of its form, in Base64");
    }
  }

  private static void add(Object condition, List<Condition> conditions, long[] range) {
    if (condition instanceof JsonObject equalities) {
      for (Map.Entry<String, Object> equality : equalities) {
        conditions.add(new Condition(lower(equality.getKey()), text(equality.getValue()), true));
      }
      return;
    }
    if (!(condition instanceof JsonArray triple) || triple.size() != 3) {
      throw invalid("a condition must be an object or have three elements: " + condition);
    }
    String operator = lower(triple.getString(0));
    switch (operator) {
      case "eq", "starts-with" -> {
        String field = triple.getString(1);
        if (!field.startsWith("$")) {
          throw invalid("a condition's field must begin with $: " + field);
        }
        String value = text(triple.getValue(2));
        conditions.add(new Condition(lower(field.substring(1)), value, operator.equals("eq")));
      }
      case "content-length-range" -> {
        range[0] = Math.max(range[0], number(triple.getValue(1)));
        range[1] = Math.min(range[1], number(triple.getValue(2)));
      }
      default -> throw invalid("the condition " + operator + " is unknown");
    }
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  private static String text(Object value) {
    if (value instanceof String || value instanceof Number) {
      return value.toString();
    }
    throw invalid("a condition's value must be text: " + value);
  }

  private static long number(Object value) {
    return value instanceof Number number ? number.longValue() : Long.parseLong(text(value));
  }

  private static S3Exception invalid(String why) {
    return S3Exception.of(
        S3ErrorCode.INVALID_POLICY_DOCUMENT,
        "The content of the form does not meet the conditions specified in the policy document: "
            + why
            + ".");
  }

  /**
   * Lets a form pass.
   *
   * @param bucket that it is sent to
   * @throws S3Exception AccessDenied, naming what does not hold
   */
  public void check(FormFields form, String bucket, Instant now) {
    if (!now.isBefore(expiration)) {
      throw denied("Policy expired.");
    }
    Set<String> covered = new HashSet<>();
    for (Condition condition : conditions) {
      String actual =
          condition.field().equals("bucket") ? bucket : form.find(condition.field()).orElse("");
      if (!condition.holds(actual)) {
        throw denied("Policy Condition failed: " + condition);
      }
      covered.add(condition.field());
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
   * Lets a file of so many bytes pass.
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
   * Lets a file pass of which so many bytes have come.
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
