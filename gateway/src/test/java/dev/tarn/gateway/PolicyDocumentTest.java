package dev.tarn.gateway;

import static dev.tarn.gateway.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.s3.S3Client;

/** Which documents are taken as policies, and that all others are refused as a whole. */
class PolicyDocumentTest {
  private static final String PLAIN =
      "{'Version':'2012-10-17','Statement':[{'Sid':'one','Effect':'Allow','Principal':'*',"
          + "'Action':'s3:GetObject','Resource':'arn:aws:s3:::alices/*'}]}";

  private GatewayFixture gateway;
  private S3Client alice;

  @BeforeEach
  void start() {
    gateway = new GatewayFixture();
    alice = gateway.client(GatewayFixture.ALICE);
    alice.createBucket(r -> r.bucket("alices"));
  }

  @AfterEach
  void stop() {
    alice.close();
    gateway.close();
  }

  private void put(String policy) {
    alice.putBucketPolicy(r -> r.bucket("alices").policy(policy.replace('\'', '"')));
  }

  private String policy() {
    return alice.getBucketPolicy(r -> r.bucket("alices")).policy();
  }

  @Test
  void policyComesBackByteForByteAndGoesAway() {
    String spaced = PLAIN.replace(",", " ,\n ");
    put(spaced);
    assertThat(policy()).isEqualTo(spaced.replace('\'', '"'));
    put(PLAIN);
    assertThat(policy()).isEqualTo(PLAIN.replace('\'', '"'));

    alice.deleteBucketPolicy(r -> r.bucket("alices"));
    assertRefused("NoSuchBucketPolicy", 404, this::policy);
    assertRefused(
        "NoSuchBucketPolicy", 404, () -> alice.getBucketPolicyStatus(r -> r.bucket("alices")));
    alice.deleteBucketPolicy(r -> r.bucket("alices"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'Statement':{'Effect':'Deny','Principal':{'AWS':'*'},'Action':'*',"
            + "'Resource':['arn:aws:s3:::alices','arn:aws:s3:::alices/*']}}",
        "{'Version':'2008-10-17','Id':'x','Statement':[{'Effect':'Allow','Principal':{'AWS':"
            + "['bob','alice-id','arn:aws:iam::123456789012:user/path/bob']},'Action':"
            + "['s3:Get*','S3:listbucket','s3:?utObject'],'Resource':'arn:aws:s3:::alices*'}]}",
        "{'Statement':[{'Effect':'Allow','Principal':'*','Action':'s3:ListBucket','Resource':"
            + "'arn:aws:s3:::alices','Condition':{'StringLike':{'s3:prefix':['a/*','b?']},"
            + "'StringEquals':{'S3:Prefix':'a/b'},'IpAddress':{'aws:sourceIp':["
            + "'10.0.0.0/8','192.0.2.7','2001:db8::/33','::1']}}}]}",
        "{'Statement':[{'Effect':'Allow','Principal':'*','Action':['s3:ListBucket','s3:Put*'],"
            + "'Resource':'arn:aws:s3:::alices*','Condition':{'StringLikeIfExists':{'s3:prefix':"
            + "'a*','S3:X-Amz-Copy-Source':'/b/*'},'StringEqualsIfExists':{'s3:x-amz-acl':"
            + "'private'},'Null':{'s3:RequestObjectTag/a b':'true'}}}]}",
        "{'Statement':[{'Effect':'Deny','Principal':'*','Action':['s3:GetObject','s3:Delete*'],"
            + "'Resource':'arn:aws:s3:::alices/*','Condition':{'StringEquals':"
            + "{'S3:existingobjecttag/a/b':['x','']}}}]}",
        "{'Statement':[{'Effect':'Allow','Principal':'*','Action':'s3:RestoreObject',"
            + "'Resource':'arn:aws:s3:::alices/*'}]}"
      })
  void whatIsUnderstoodIsTaken(String policy) {
    put(policy);
    assertThat(policy()).isEqualTo(policy.replace('\'', '"'));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'Action'                    | 'NotAction':'s3:Put*','Action'       | NotAction",
        "'Principal'                 | 'NotPrincipal':'*','Principal'       | NotPrincipal",
        "'Action':'s3:GetObject'     | 'NotAction':'s3:GetEverything'       | GetEverything",
        "'Resource'                  | 'NotResource'                        | NotResource",
        "'Sid':'one'                 | 'Comment':'one'                      | Comment",
        "'Version':'2012-10-17'      | 'Version':'2012-10-18'               | 2012-10-18",
        "'Version':'2012-10-17'      | 'Version':'2012-10-17','Owner':'x'   | Owner",
        "'Version':'2012-10-17'      | 'Version':20121017                   | syntax",
        "'Effect':'Allow'            | 'Effect':'allow'                     | allow",
        "'Effect':'Allow',           | ``                                   | Effect",
        "'Principal':'*',            | ``                                   | Principal",
        "'Action':'s3:GetObject',    | ``                                   | Action",
        "'Principal':'*'             | 'Principal':'bob'                    | principal",
        "'Principal':'*'             | 'Principal':{'AWS':'nobody'}         | nobody",
        "'Principal':'*'             | 'Principal':{'AWS':[]}               | Principal",
        "'Principal':'*'             | 'Principal':{'Service':'ec2'}        | principal",
        "'Principal':'*'             | 'Principal':{'CanonicalUser':'bob'}  | principal",
        "'Principal':'*' | 'Principal':{'AWS':'arn:aws:iam::123456789012:root'}   | root",
        "'Principal':'*' | 'Principal':{'AWS':'arn:aws:iam::1:user/b*'}           | b*",
        "s3:GetObject                | s3:GetEverything                     | GetEverything",
        "s3:GetObject                | ec2:StartInstances                   | StartInstances",
        "s3:GetObject                | ?3:GetObject                         | ?3:",
        "s3:GetObject                | s3:ListBucket                        | ListBucket",
        "'s3:GetObject'              | []                                   | Action",
        "'s3:GetObject'              | ['s3:GetObject',['s3:PutObject']]    | Action",
        "s3:::alices/*               | s3:::bobs/*                          | bobs",
        "s3:::alices/*               | s3:::alices2/*                       | alices2",
        "s3:::alices/*               | s3:::*                               | resource",
        "s3:::alices/*               | s3:::alice?/*                        | resource",
        "arn:aws:s3:::alices/*       | arn:aws:s3:::alices/${aws:username}/* | resource",
        "arn:aws:s3:::alices/*       | arn:aws:s3:::alices                  | GetObject"
      })
  void whatIsNotUnderstoodIsRefusedByName(String part, String replacement, String named) {
    put(PLAIN);
    String before = policy();
    String wrong = PLAIN.replace(part, replacement);
    assertThat(wrong).isNotEqualTo(PLAIN);

    assertThatThrownBy(() -> put(wrong)).hasMessageContaining(named);
    assertRefused("MalformedPolicy", 400, () -> put(wrong));
    assertThat(policy()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'StringNotEquals':{'s3:delimiter':'a'}}",
        "{'NotIpAddress':{'s3:prefix':'10.0.0.0/8'}}",
        "{'NotIpAddress':{'aws:SourceIp':'10.0.0.0/33'}}",
        "{'AnyIpAddress':{'aws:SourceIp':'10.0.0.0/8'}}",
        "{'StringEquals':{'aws:SecureTransport':'true'}}",
        "{'Bool':{'aws:Referer':'true'}}",
        "{'StringEquals':{'aws:username':'bob'}}",
        "{'StringEquals':{'s3:delimiter':'/'}}",
        "{'StringLikeIfExists':{'s3:delimiter':'/'}}",
        "{'StringEqualsIfPresent':{'s3:prefix':'a'}}",
        "{'Null':{'s3:prefix':'maybe'}}",
        "{'Null':{'s3:prefix':['true','false']}}",
        "{'Null':{'aws:SourceIp':'false'}}",
        "{'StringEquals':{'s3:RequestObjectTag/':'a'}}",
        "{'StringEquals':{'s3:ExistingObjectTag/':'a'}}",
        "{'StringEquals':{'s3:ExistingObjectTag/a':'a'}}",
        "{'StringEquals':{'s3:x-amz-acl':'private'}}",
        "{'Bool':{'aws:SecureTransport':'yes'}}",
        "{'IpAddress':{'s3:prefix':'10.0.0.0/8'}}",
        "{'StringLike':{'aws:SourceIp':'10.*'}}",
        "{'IpAddress':{'aws:SourceIp':'10.0.0.0/33'}}",
        "{'IpAddress':{'aws:SourceIp':'10.0.0'}}",
        "{'IpAddress':{'aws:SourceIp':'localhost'}}",
        "{'IpAddress':{'aws:SourceIp':'300.0.0.1'}}",
        "{'IpAddress':{'aws:SourceIp':'010.0.0.0/8'}}",
        "{'IpAddress':{'aws:SourceIp':'10.0.0.0/'}}",
        "{'IpAddress':{'aws:SourceIp':'::ffff:10.0.0.1'}}",
        "{'IpAddress':{'aws:SourceIp':'fe80::1%lo'}}",
        "{'IpAddress':{'aws:SourceIp':[]}}",
        "{'StringLike':{'s3:prefix':'${aws:username}/*'}}",
        "{'StringEquals':{'s3:prefix':true}}",
        "{'StringEquals':'s3:prefix'}",
        "[]",
        "''"
      })
  void otherConditionsAreRefused(String condition) {
    assertRefused(
        "MalformedPolicy",
        400,
        () ->
            put(
                "{'Statement':[{'Effect':'Allow','Principal':'*','Action':'s3:ListBucket',"
                    + "'Resource':'arn:aws:s3:::alices','Condition':"
                    + condition
                    + "}]}"));
  }

  @Test
  void prefixOfWhatIsNoListingIsRefused() {
    assertRefused(
        "MalformedPolicy",
        400,
        () ->
            put(
                PLAIN.replace(
                    "'Effect'", "'Condition':{'StringEquals':{'s3:prefix':'a'}},'Effect'")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "[]",
        "'policy'",
        "{",
        "{}",
        "{'Statement':[]}",
        "{'Statement':['x']}",
        "{'Statement':[{}]}",
        "{'Statement':null}",
        "{'Statement':[],'Statement':[]}",
        "{'Id':{'a':[[[[[[[[[[]]]]]]]]]]}}",
        "<Policy/>"
      })
  void whatIsNoJsonDocumentOfAPolicyIsRefused(String document) {
    assertRefused("MalformedPolicy", 400, () -> put(document));
    assertRefused("MalformedPolicy", 400, () -> put(PLAIN + "x"));
  }

  @Test
  void fieldsAndStatementsThatAreThereTwiceAreRefused() {
    String statement = PLAIN.substring(PLAIN.indexOf("[") + 1, PLAIN.indexOf("]"));
    assertRefused(
        "MalformedPolicy", 400, () -> put(PLAIN.replace("'Effect'", "'Effect':'Deny','Effect'")));
    assertRefused(
        "MalformedPolicy", 400, () -> put("{'Statement':[" + statement + "," + statement + "]}"));
  }

  /** As {@code mc anonymous set download} writes it. */
  @Test
  void statementsMayHaveEmptyIdsAsIfTheyHadNone() {
    String statement =
        "{'Effect':'Allow','Principal':{'AWS':['*']},'Action':['s3:GetObject'],"
            + "'Resource':['arn:aws:s3:::alices/*'],'Sid':''}";
    String policy = "{'Version':'2012-10-17','Statement':[" + statement + "," + statement + "]}";

    put(policy);

    assertThat(policy()).isEqualTo(policy.replace('\'', '"'));
  }

  @Test
  void policyMayHaveTwentyKibibytes() {
    String padded = PLAIN + " ".repeat(20 * 1024 - PLAIN.length());
    put(padded);
    assertThat(policy()).hasSize(20 * 1024);
    assertRefused("MalformedPolicy", 400, () -> put(padded + " "));
  }

  @Test
  void statusTellsWhetherEverybodyIsLetIn() {
    put(PLAIN);
    assertThat(isPublic()).isTrue();
    put(PLAIN.replace("'Effect'", "'Condition':{'IpAddress':{'aws:SourceIp':'::1'}},'Effect'"));
    assertThat(isPublic()).isFalse();
    for (String wide : List.of("0.0.0.0/0", "128.0.0.0/1", "::/0")) {
      String of = "'Condition':{'IpAddress':{'aws:SourceIp':['10.0.0.0/8','" + wide + "']}}";
      put(PLAIN.replace("'Effect'", of + ",'Effect'"));
      assertThat(isPublic()).as(wide).isTrue();
    }
    put(PLAIN.replace("'*',", "{'AWS':'bob'},"));
    assertThat(isPublic()).isFalse();
    put(PLAIN.replace("Allow", "Deny"));
    assertThat(isPublic()).isFalse();
  }

  private boolean isPublic() {
    return alice.getBucketPolicyStatus(r -> r.bucket("alices")).policyStatus().isPublic();
  }
}
