package dev.tarn.gateway.policy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Policies of a bucket as their grammar allows them. */
final class RandomPolicy {
  private static final List<String> PRINCIPALS =
      List.of(
          "*",
          "u-1",
          "alice",
          "u-2",
          "bob",
          "arn:aws:iam::123456789012:user/alice",
          "arn:aws:iam:::user/a/b/bob");

  private static final List<String> LISTINGS =
      List.of("s3:ListBucket", "s3:listbucketversions", "s3:List*", "s3:*", "*", "s3:ListBucke?");

  private static final List<String> ACTIONS =
      List.of(
          "s3:GetObject",
          "s3:GetObject*",
          "s3:?etObject",
          "S3:PUTOBJECT",
          "s3:*Object*",
          "s3:*",
          "*",
          "s3:Delete*Version",
          "s3:RestoreObject",
          "s3:*Tagging");

  private static final List<String> DELETIONS =
      List.of("s3:DeleteObject", "s3:DeleteObject*", "s3:AbortMultipartUpload", "s3:PutBucketAcl");

  private static final List<String> OBJECT_KEYS =
      List.of(
          "s3:X-amz-acl",
          "S3:RequestObjectTag/k",
          "s3:x-amz-copy-source",
          "s3:ExistingObjectTag/k",
          "s3:existingobjecttag/l");

  private static final List<String> PREFIXES =
      List.of("", "a/", "a/*", "*", "?", "b?", "é/", "*/*", "a*b");

  private static final List<String> RANGES =
      List.of(
          "0.0.0.0/0",
          "::/0",
          "192.0.2.0/24",
          "192.0.2.7",
          "192.0.2.128/25",
          "2001:db8::/33",
          "2001:db8::1",
          "10.0.0.0/9");

  private final SplittableRandom random;
  private final String bucket;

  private RandomPolicy(SplittableRandom random, String bucket) {
    this.random = random;
    this.bucket = bucket;
  }

  /** One of them, as maps, lists and texts. */
  static Map<String, Object> of(String bucket, SplittableRandom random) {
    return new RandomPolicy(random, bucket).policy();
  }

  private Map<String, Object> policy() {
    List<Object> statements = new ArrayList<>();
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      statements.add(statement(i));
    }
    Map<String, Object> policy = new LinkedHashMap<>();
    if (random.nextBoolean()) {
      policy.put("Version", random.nextBoolean() ? "2012-10-17" : "2008-10-17");
    }
    if (random.nextInt(4) == 0) {
      policy.put("Id", one(PREFIXES));
    }
    boolean single = count == 1 && random.nextBoolean();
    policy.put("Statement", single ? statements.getFirst() : statements);
    return policy;
  }

  private Map<String, Object> statement(int index) {
    // All resources and actions go together here; which do not is what the changes find.
    boolean ofBucket = random.nextBoolean();
    Map<String, Object> fields = new LinkedHashMap<>();
    if (random.nextInt(4) == 0) {
      fields.put("Sid", "s" + index);
    }
    fields.put("Effect", random.nextInt(3) == 0 ? "Deny" : "Allow");
    fields.put(
        random.nextInt(4) == 0 ? "NotPrincipal" : "Principal",
        random.nextInt(3) == 0 ? "*" : Map.of("AWS", some(PRINCIPALS)));
    String action = !ofBucket && random.nextInt(4) == 0 ? "NotAction" : "Action";
    fields.put(action, some(ofBucket ? LISTINGS : action.equals("Action") ? ACTIONS : DELETIONS));
    fields.put("Resource", oneOrMore(() -> resource(ofBucket)));
    if (random.nextBoolean()) {
      Map<String, Object> conditions = conditions(ofBucket);
      fields.put("Condition", conditions);
      if (!ofBucket
          && action.equals("Action")
          && !Set.of("IpAddress", "NotIpAddress").containsAll(conditions.keySet())) {
        // These have all keys.
        fields.put("Action", List.of(one(ACTIONS), "s3:PutObject", "s3:PutObjectTagging"));
      }
    }
    return shuffled(fields);
  }

  private String resource(boolean ofBucket) {
    if (random.nextInt(8) == 0) {
      return "*";
    }
    String rest = ofBucket ? one(List.of("", "*", "*a")) : "/" + one(PREFIXES);
    return "arn:aws:s3:::" + bucket + rest;
  }

  private Map<String, Object> conditions(boolean ofBucket) {
    Map<String, Object> conditions = new LinkedHashMap<>();
    if (random.nextBoolean()) {
      conditions.put(
          random.nextInt(3) == 0 ? "NotIpAddress" : "IpAddress",
          Map.of(random.nextBoolean() ? "aws:SourceIp" : "AWS:sourceip", some(RANGES)));
    }
    if (random.nextInt(4) == 0) {
      conditions.put("Bool", Map.of("aws:SecureTransport", one(List.of("true", "false"))));
    }
    if (random.nextInt(4) == 0) {
      conditions.put(
          one(List.of("StringLike", "StringNotLikeIfExists")),
          Map.of("aws:Referer", some(List.of("http://a.example/*", "*", "http://b.example/x"))));
    }
    if (ofBucket && random.nextBoolean()) {
      conditions.put("StringEquals", Map.of("s3:prefix", some(PREFIXES)));
    }
    if (random.nextInt(3) == 0) {
      String key = ofBucket ? "S3:prefix" : one(OBJECT_KEYS);
      conditions.put("Null", Map.of(key, one(List.of("true", "false"))));
    }
    if (!ofBucket && random.nextInt(3) == 0) {
      conditions.put(
          one(
              List.of(
                  "StringEquals",
                  "StringEqualsIfExists",
                  "StringLikeIfExists",
                  "StringNotEquals",
                  "StringNotLike",
                  "StringNotEqualsIfExists")),
          Map.of(one(OBJECT_KEYS), some(List.of("a", "b", "?", "public-read", "p*"))));
    }
    if (ofBucket && random.nextBoolean()) {
      Map<String, Object> keys = new LinkedHashMap<>();
      keys.put("s3:prefix", some(PREFIXES));
      if (random.nextInt(4) == 0) {
        keys.put("S3:Prefix", some(PREFIXES));
      }
      conditions.put("StringLike", keys);
    }
    return shuffled(conditions);
  }

  private Object some(List<String> from) {
    return oneOrMore(() -> one(from));
  }

  private Object oneOrMore(Supplier<String> each) {
    if (random.nextBoolean()) {
      return each.get();
    }
    List<String> all = new ArrayList<>();
    do {
      all.add(each.get());
    } while (random.nextBoolean());
    return all;
  }

  private String one(List<String> from) {
    return from.get(random.nextInt(from.size()));
  }

  private Map<String, Object> shuffled(Map<String, Object> fields) {
    List<String> names = new ArrayList<>(fields.keySet());
    Set<String> taken = new HashSet<>();
    Map<String, Object> shuffled = new LinkedHashMap<>();
    while (taken.size() < names.size()) {
      String name = one(names);
      if (taken.add(name)) {
        shuffled.put(name, fields.get(name));
      }
    }
    return shuffled;
  }
}
