package dev.tarn.gateway.s3.form;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.fuzz.FuzzInput;
import dev.tarn.gateway.fuzz.LooseJson;
import dev.tarn.gateway.fuzz.ParserFuzz;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A form's policy lets pass what its text allows, told in the plainest way, and nothing else. */
class PostPolicyFuzz extends ParserFuzz {
  private static final String BUCKET = "bucket";
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final int FORMS = 4;

  private static final List<String> FIELDS =
      List.of("key", "acl", "content-type", "x-amz-meta-a", "x-ignore-b", "policy", "submit");

  private static final List<String> VALUES =
      List.of(
          "",
          "a",
          "a/",
          "a/b",
          "a/${filename}",
          "${filename}",
          "a/b.txt",
          "a/b, a/c",
          "é",
          "private",
          "7");

  private static final List<String> TIMES =
      List.of(
          "2026-01-01T00:00:00Z",
          "2026-01-01T00:00:00.001Z",
          "2099-12-30T12:00:00.000Z",
          "2099-01-01T00:00:00+01:00",
          "2025-12-31T23:59:59Z");

  PostPolicyFuzz() {
    super(
        texts(
            """
            {"expiration": "2099-12-30T12:00:00.000Z", "conditions": [{"bucket": "bucket"},
            ["starts-with", "$key", "a/"], {"acl": "private"},
            ["content-length-range", 0, 1048576], ["starts-with", "$x-amz-meta-a", ""]]}
            """,
            """
            {"conditions": [["eq", "$key", "a/b"], ["eq", "$bucket", "bucket"],
            ["starts-with", "$acl", ""], {"x-amz-meta-a": ""}, ["content-length-range", "1", "9"]],
            "expiration": "2099-01-01T00:00:00+01:00"}
            """),
        Set.of(S3Exception.class));
  }

  @Override
  protected void parse(FuzzInput input) {
    SplittableRandom random = input.random();
    PostPolicy policy = read(input);
    PlainPostPolicy plain = new PlainPostPolicy(input.text());
    for (int i = 0; i < FORMS; i++) {
      FormFields form = form(random);
      assertThat(allows(() -> policy.check(form, BUCKET, NOW), S3ErrorCode.ACCESS_DENIED))
          .as("%s", form)
          .isEqualTo(plain.allows(form, BUCKET, NOW));
      long bytes = random.nextLong() >>> random.nextInt(1, Long.SIZE);
      assertThat(
              allows(
                  () -> policy.checkLength(bytes),
                  S3ErrorCode.ENTITY_TOO_LARGE,
                  S3ErrorCode.ENTITY_TOO_SMALL))
          .as("%d bytes", bytes)
          .isEqualTo(plain.allowsLength(bytes));
    }
  }

  private static PostPolicy read(FuzzInput input) {
    try {
      return PostPolicy.parse(Base64.getEncoder().encodeToString(input.bytes()));
    } catch (S3Exception e) {
      assertThat(e.code()).isEqualTo(S3ErrorCode.INVALID_POLICY_DOCUMENT);
      throw e;
    }
  }

  private static boolean allows(Runnable check, S3ErrorCode... refusals) {
    try {
      check.run();
      return true;
    } catch (S3Exception e) {
      assertThat(e.code()).isIn((Object[]) refusals);
      return false;
    }
  }

  private static FormFields form(SplittableRandom random) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String name : FIELDS) {
      if (random.nextInt(3) == 0) {
        fields.put(name, VALUES.get(random.nextInt(VALUES.size())));
      }
    }
    return new FormFields(fields, random.nextBoolean() ? "b.txt" : "");
  }

  @Override
  protected byte @Nullable [] valid(SplittableRandom random) {
    if (random.nextInt(4) == 0) {
      return null;
    }
    List<Object> conditions = new ArrayList<>();
    int count = random.nextInt(5);
    for (int i = 0; i < count; i++) {
      conditions.add(condition(random));
    }
    Map<String, Object> policy = new LinkedHashMap<>();
    boolean first = random.nextBoolean();
    if (first) {
      policy.put("conditions", conditions);
    }
    policy.put("expiration", one(TIMES, random));
    if (!first) {
      policy.put("conditions", conditions);
    }
    return LooseJson.write(policy, random).getBytes(UTF_8);
  }

  private static Object condition(SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> Map.of(random.nextInt(8) == 0 ? "bucket" : one(FIELDS, random), value(random));
      case 1 -> List.of("eq", "$" + one(FIELDS, random), value(random));
      case 2 -> List.of("Starts-With", "$" + one(FIELDS, random), value(random));
      default -> {
        long most = random.nextLong() >>> random.nextInt(1, Long.SIZE);
        long least = random.nextLong(most / 4 + 1);
        yield random.nextBoolean()
            ? List.of("content-length-range", least, most)
            : List.of("content-length-range", Long.toString(least), Long.toString(most));
      }
    };
  }

  private static Object value(SplittableRandom random) {
    return random.nextInt(8) == 0 ? (Object) random.nextInt(10) : one(VALUES, random);
  }

  private static String one(List<String> from, SplittableRandom random) {
    return from.get(random.nextInt(from.size()));
  }

  @Override
  protected List<String> vocabulary() {
    return List.of(
        "[\"eq\", \"$key\", \"\"],",
        "{\"key\": \"a/b\"},",
        "{\"key\": \"a/b\", \"key\": \"\"}",
        "[\"content-length-range\", 0, 18446744073709551616],",
        "[\"content-length-range\", 0.5, 1e3],",
        "\"starts-with\"",
        "\"$Key\"",
        "\"$\"",
        "9999-99-99T99:99:99Z",
        "+999999999-12-31T23:59:59Z",
        "\"expiration\": ",
        "\"conditions\": [],",
        "\\u0000",
        "null, ",
        "true, ",
        "[]",
        "{}");
  }

  /** It is read by two readers and judges several forms by both here. */
  @Override
  protected int allocatedPerByteMax() {
    return 1024;
  }
}
