package dev.tarn.cluster.control;

import static dev.tarn.cluster.object.ObjectCodecs.TAGS_MAX;

import dev.tarn.cluster.codec.Codec;
import dev.tarn.cluster.codec.Union;
import dev.tarn.cluster.control.AccessControls.ObjectOwnership;
import dev.tarn.cluster.control.AccessControls.PublicAccessBlock;
import dev.tarn.cluster.object.AccessList;
import dev.tarn.cluster.object.ObjectLock;
import java.util.List;
import java.util.Optional;

/** The encoding of buckets' configurations and of the changes to their parts. */
final class ConfigurationCodec {
  private static final List<Versioning> VERSIONINGS =
      List.of(Versioning.OFF, Versioning.ENABLED, Versioning.SUSPENDED);

  /** The greatest number of rules that S3 allows in one document. */
  private static final int RULES_MAX = 1000;

  /** More than fit the document of CORS rules. */
  private static final int CORS_VALUES_MAX = 10_000;

  private static final Codec<CorsRule> CORS =
      Codec.of(
          "CORS rule",
          (out, rule) ->
              out.text(1, rule.id())
                  .texts(2, rule.allowedOrigins())
                  .texts(3, rule.allowedMethods())
                  .texts(4, rule.allowedHeaders())
                  .texts(5, rule.exposeHeaders())
                  .number(6, rule.maxAgeSeconds()),
          in ->
              new CorsRule(
                  in.text(1),
                  in.texts(2, CORS_VALUES_MAX),
                  in.texts(3, CORS_VALUES_MAX),
                  in.texts(4, CORS_VALUES_MAX),
                  in.texts(5, CORS_VALUES_MAX),
                  in.optionalInteger(6)));

  private static final Codec<LifecycleRule.Filter> FILTER =
      Codec.of(
          "filter",
          (out, filter) ->
              out.text(1, filter.prefix())
                  .map(2, filter.tags())
                  .number(3, filter.largerThanBytes())
                  .number(4, filter.smallerThanBytes())
                  .flag(5, filter.plainPrefix()),
          in ->
              new LifecycleRule.Filter(
                  in.text(1),
                  in.map(2, LifecycleRule.Filter.TAGS_MAX),
                  in.optionalNumber(3),
                  in.optionalNumber(4),
                  in.flag(5)));

  private static final Codec<LifecycleRule.Expiration> EXPIRATION =
      Union.of(
          LifecycleRule.Expiration.class,
          List.of(
              Union.alternative(
                  1,
                  LifecycleRule.AfterDays.class,
                  (out, after) -> out.number(1, after.days()),
                  in -> new LifecycleRule.AfterDays(in.integer(1))),
              Union.alternative(
                  2,
                  LifecycleRule.OnDate.class,
                  (out, on) -> out.number(1, on.timeMs()),
                  in -> new LifecycleRule.OnDate(in.number(1))),
              Union.alternative(3, new LifecycleRule.OfLoneDeleteMarkers())));

  private static final Codec<LifecycleRule> LIFECYCLE =
      Codec.of(
          "lifecycle rule",
          (out, rule) ->
              out.text(1, rule.id())
                  .flag(2, rule.enabled())
                  .message(3, FILTER, rule.filter())
                  .message(4, EXPIRATION, rule.expiration())
                  .number(5, rule.noncurrentDays())
                  .number(6, rule.newerNoncurrentVersions())
                  .number(7, rule.abortUploadsAfterDays()),
          in ->
              new LifecycleRule(
                  in.text(1),
                  in.flag(2),
                  in.message(3, FILTER),
                  in.optionalMessage(4, EXPIRATION),
                  in.optionalInteger(5),
                  in.optionalInteger(6),
                  in.optionalInteger(7)));

  private static final Codec<PublicAccessBlock> BLOCK =
      Codec.of(
          "public access block",
          (out, block) ->
              out.flag(1, block.blocksAcls())
                  .flag(2, block.ignoresAcls())
                  .flag(3, block.blocksPolicy())
                  .flag(4, block.restrictsBucket()),
          in -> new PublicAccessBlock(in.flag(1), in.flag(2), in.flag(3), in.flag(4)));

  private static final Codec<AccessControls> ACCESS =
      Codec.of(
          "access controls",
          (out, access) ->
              out.message(1, BLOCK, access.block())
                  .constant(2, ObjectOwnership.CODES, access.ownership()),
          in ->
              new AccessControls(
                  in.optionalMessage(1, BLOCK), in.optionalConstant(2, ObjectOwnership.CODES)));

  private static final Codec<ObjectLockRule.DefaultRetention> RETENTION =
      Codec.of(
          "default retention",
          (out, retention) ->
              out.constant(1, ObjectLock.Mode.CODES, retention.mode())
                  .number(2, retention.count())
                  .constant(3, ObjectLockRule.Unit.CODES, retention.unit()),
          in ->
              new ObjectLockRule.DefaultRetention(
                  in.constant(1, ObjectLock.Mode.CODES),
                  in.integer(2),
                  in.constant(3, ObjectLockRule.Unit.CODES)));

  private static final Codec<ObjectLockRule> LOCK =
      Codec.of(
          "object lock",
          (out, rule) -> out.message(1, RETENTION, rule.ofNewVersions()),
          in -> new ObjectLockRule(in.optionalMessage(1, RETENTION)));

  /** An older reader must not open what the access controls close, nor remove what is locked. */
  static final Codec<BucketConfiguration> CONFIGURATION =
      Codec.of(
          "bucket configuration",
          (out, configuration) ->
              out.constant(1, VERSIONINGS, configuration.versioning())
                  .map(3, configuration.tags())
                  .messages(4, CORS, configuration.cors())
                  .messages(5, LIFECYCLE, configuration.lifecycle())
                  .text(6, configuration.policy())
                  .required(7)
                  .message(
                      7,
                      ACCESS,
                      Optional.of(configuration.access())
                          .filter(access -> !access.equals(AccessControls.NONE)))
                  .required(8)
                  .message(8, LOCK, configuration.objectLock())
                  .text(9, text(configuration.acl())),
          in -> {
            // The ACL is the last field.
            BucketConfiguration withoutAcl =
                new BucketConfiguration(
                    in.constant(1, VERSIONINGS),
                    AccessList.PRIVATE,
                    in.map(3, TAGS_MAX),
                    in.messages(4, CORS, RULES_MAX),
                    in.messages(5, LIFECYCLE, RULES_MAX),
                    in.optionalText(6),
                    in.optionalMessage(7, ACCESS).orElse(AccessControls.NONE),
                    in.optionalMessage(8, LOCK));
            return withoutAcl.withAcl(acl(in.optionalText(9)));
          });

  static final Codec<BucketChange> CHANGE =
      Union.of(
          BucketChange.class,
          List.of(
              Union.alternative(
                  1,
                  BucketChange.SetVersioning.class,
                  (out, set) -> out.constant(1, VERSIONINGS, set.versioning()),
                  in -> new BucketChange.SetVersioning(in.constant(1, VERSIONINGS))),
              Union.alternative(
                  2,
                  BucketChange.SetAcl.class,
                  (out, set) -> out.text(2, text(set.acl())),
                  in -> new BucketChange.SetAcl(acl(in.optionalText(2)))),
              Union.alternative(
                  3,
                  BucketChange.SetTags.class,
                  (out, set) -> out.map(1, set.tags()),
                  in -> new BucketChange.SetTags(in.map(1, TAGS_MAX))),
              Union.alternative(
                  4,
                  BucketChange.SetCors.class,
                  (out, set) -> out.messages(1, CORS, set.rules()),
                  in -> new BucketChange.SetCors(in.messages(1, CORS, RULES_MAX))),
              Union.alternative(
                  5,
                  BucketChange.SetLifecycle.class,
                  (out, set) -> out.messages(1, LIFECYCLE, set.rules()),
                  in -> new BucketChange.SetLifecycle(in.messages(1, LIFECYCLE, RULES_MAX))),
              Union.alternative(
                  6,
                  BucketChange.SetPolicy.class,
                  (out, set) -> out.text(1, set.policy()),
                  in -> new BucketChange.SetPolicy(in.optionalText(1))),
              Union.alternative(
                  7,
                  BucketChange.SetPublicAccessBlock.class,
                  (out, set) -> out.message(1, BLOCK, set.block()),
                  in -> new BucketChange.SetPublicAccessBlock(in.optionalMessage(1, BLOCK))),
              Union.alternative(
                  8,
                  BucketChange.SetOwnership.class,
                  (out, set) -> out.constant(1, ObjectOwnership.CODES, set.ownership()),
                  in ->
                      new BucketChange.SetOwnership(in.optionalConstant(1, ObjectOwnership.CODES))),
              Union.alternative(
                  9,
                  BucketChange.SetObjectLock.class,
                  (out, set) -> out.message(1, LOCK, set.rule()),
                  in -> new BucketChange.SetObjectLock(in.message(1, LOCK)))));

  private static Optional<String> text(AccessList acl) {
    return Optional.of(acl.text()).filter(text -> !text.isEmpty());
  }

  private static AccessList acl(Optional<String> text) {
    return text.map(AccessList::parse).orElse(AccessList.PRIVATE);
  }

  private ConfigurationCodec() {}
}
