package dev.tarn.gateway.policy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.User;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.fuzz.FuzzInput;
import dev.tarn.gateway.fuzz.LooseJson;
import dev.tarn.gateway.fuzz.ParserFuzz;
import dev.tarn.gateway.request.Headers;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A policy that is taken decides as its text says, told in the plainest way. */
class PolicyDocumentFuzz extends ParserFuzz {
  private static final String BUCKET = "bucket";
  private static final int QUESTIONS = 4;

  private static final List<@Nullable User> USERS =
      Arrays.asList(null, new User("u-1", "alice", false), new User("u-2", "bob", false));

  private static final List<Action> ACTIONS = List.of(Action.values());

  private static final List<Action> OFTEN =
      List.of(
          Action.LIST_BUCKET,
          Action.GET_OBJECT,
          Action.PUT_OBJECT,
          Action.PUT_OBJECT_TAGGING,
          Action.GET_OBJECT_VERSION_TAGGING);

  private static final List<@Nullable String> REFERERS =
      Arrays.asList(null, "", "http://a.example/", "http://b.example/x");

  private static final List<String> ADDRESSES =
      List.of("192.0.2.7", "192.0.2.200", "10.200.0.1", "2001:db8::1", "fe80::1%eth0", "");

  private static final List<Headers> HEADERS =
      List.of(
          Headers.NONE,
          Headers.of("x-amz-acl", "public-read"),
          Headers.of("x-amz-tagging", "k=a", "x-amz-acl", "private"),
          Headers.of("x-amz-tagging", "k=b"));

  private static final List<Map<String, String>> TAGS =
      List.of(Map.of(), Map.of("k", "a"), Map.of("k", "b", "l", "a"), Map.of("K", "a"));

  private static final List<String> KEYS =
      List.of("a", "a/", "a/b", "a/x/b", "public/a", "b1", "é/", "\uD83D\uDE00", "*", "?", "a*b");

  PolicyDocumentFuzz() {
    super(
        texts(
            """
            {"Version": "2012-10-17", "Id": "p", "Statement": [{"Sid": "a", "Effect": "Allow",
            "Principal": "*", "Action": ["s3:GetObject", "s3:GetObjectVersion"],
            "Resource": "arn:aws:s3:::bucket/public/*"}]}
            """,
            """
            {"Statement": [{"Effect": "Allow", "Principal": {"AWS":
            ["arn:aws:iam::123456789012:user/alice", "u-1"]}, "Action": "s3:ListBucket",
            "Resource": "arn:aws:s3:::bucket", "Condition":
            {"StringLike": {"s3:prefix": ["a/*", "b?"]}, "StringEquals": {"s3:prefix": ""}}},
            {"Sid": "d", "Effect": "Deny", "Principal": {"AWS": "*"}, "Action": "s3:*",
            "Resource": ["arn:aws:s3:::bucket", "arn:aws:s3:::bucket/*"], "Condition":
            {"IpAddress": {"aws:SourceIp": ["192.0.2.0/24", "2001:db8::/32"]}}}]}
            """,
            """
            {"Version":"2008-10-17","Statement":{"Effect":"Allow","Principal":"*","Action":"s3:Put*",
            "Resource":"arn:aws:s3:::bucket*"}}
            """),
        Set.of(S3Exception.class));
  }

  @Override
  protected void parse(FuzzInput input) {
    Policy policy = read(input.bytes());
    PlainPolicy plain = new PlainPolicy(new String(input.bytes(), UTF_8));
    assertThat(policy.statements()).isNotEmpty();
    assertThat(policy.isPublic()).isEqualTo(plain.isPublic());
    assertThat(policy.users()).isEqualTo(plain.users());
    for (int i = 0; i < QUESTIONS; i++) {
      Question question = question(input.random());
      assertThat(policy.judge(question))
          .as("%s by %s", question, question.caller().address().get())
          .isEqualTo(plain.judge(question));
      assertUndecidedOnlyByTags(policy.judge(beforeLook(question)), plain.judge(question));
    }
  }

  private static Question beforeLook(Question question) {
    return new Question(
        question.caller(), question.action(), question.resource(), question.prefix(), null);
  }

  /** A verdict without the object's tags leaves open what the tags decide, and nothing else. */
  private static void assertUndecidedOnlyByTags(Policy.Verdict before, Policy.Verdict after) {
    switch (before) {
      case ALLOWED, DENIED, SILENT -> assertThat(after).isEqualTo(before);
      case ALLOWED_BY_TAGS -> assertThat(after).isNotEqualTo(Policy.Verdict.DENIED);
      case DENIED_BY_TAGS -> {}
    }
  }

  private static Policy read(byte[] document) {
    try {
      return PolicyDocument.read(document, BUCKET);
    } catch (S3Exception e) {
      assertThat(e.code()).isEqualTo(S3ErrorCode.MALFORMED_POLICY);
      throw e;
    }
  }

  private static Question question(SplittableRandom random) {
    Action action = ACTIONS.get(random.nextInt(ACTIONS.size()));
    if (random.nextInt(3) == 0) {
      action = OFTEN.get(random.nextInt(OFTEN.size()));
    }
    String address = ADDRESSES.get(random.nextInt(ADDRESSES.size()));
    Caller caller =
        new Caller(
            USERS.get(random.nextInt(USERS.size())),
            () -> address,
            HEADERS.get(random.nextInt(HEADERS.size())),
            random.nextBoolean(),
            REFERERS.get(random.nextInt(REFERERS.size())),
            false,
            false);
    String text = KEYS.get(random.nextInt(KEYS.size()));
    boolean ofObject = action.subject() == Action.Subject.OBJECT;
    return new Question(
        caller,
        action,
        ofObject ? BUCKET + "/" + text : BUCKET,
        action.isListing() ? (random.nextInt(4) == 0 ? "" : text) : null,
        TAGS.get(random.nextInt(TAGS.size())));
  }

  @Override
  protected byte @Nullable [] valid(SplittableRandom random) {
    return random.nextInt(4) == 0
        ? null
        : LooseJson.write(RandomPolicy.of(BUCKET, random), random).getBytes(UTF_8);
  }

  @Override
  protected List<String> vocabulary() {
    return List.of(
        "\"NotAction\": ",
        "\"NotPrincipal\": ",
        "\"NotResource\": ",
        "\"Condition\": {}",
        "\"Effect\": \"Allow\", ",
        "\"Effect\": \"Deny\", ",
        "\"AWS\": ",
        "\"s3:*\"",
        "\"s3:ListBucket\", ",
        "\"*\"",
        "\"Bool\"",
        "\"IpAddress\": {\"aws:SourceIp\": \"0.0.0.0/0\"}, ",
        "\"StringEqualsIgnoreCase\"",
        "arn:aws:s3:::other/*",
        "arn:aws:s3:::bucket*",
        "arn:aws:iam::1:user/",
        "\\u0000",
        "\\ud800",
        "${aws:username}",
        "::ffff:192.0.2.7",
        "192.0.2.07/024",
        "/0",
        "?",
        "[]",
        "{}");
  }

  /** It is read by two readers and judged by two here. */
  @Override
  protected int allocatedPerByteMax() {
    return 1024;
  }

  /** Somewhat more than a policy may have. */
  @Override
  protected int lengthMax() {
    return 24 << 10;
  }
}
