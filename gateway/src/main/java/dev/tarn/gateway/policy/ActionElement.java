package dev.tarn.gateway.policy;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** Parses the actions of a statement. */
final class ActionElement {
  private static final String ANY = "*";
  private static final String SERVICE_PREFIX = "s3:";

  /** Actions of S3 that no operation here needs. A policy may name them, without effect. */
  private static final List<String> OTHERS =
      Stream.of(
              "AssociateAccessGrantsIdentityCenter",
              "CreateAccessGrant",
              "CreateAccessPoint",
              "CreateAccessPointForObjectLambda",
              "CreateBucketMetadataTableConfiguration",
              "CreateJob",
              "CreateMultiRegionAccessPoint",
              "CreateStorageLensGroup",
              "DeleteAccessPoint",
              "DeleteAccessPointPolicy",
              "DeleteBucketWebsite",
              "DeleteJobTagging",
              "DeleteStorageLensConfiguration",
              "DescribeJob",
              "GetAccessPoint",
              "GetAccessPointPolicy",
              "GetAccountPublicAccessBlock",
              "GetAnalyticsConfiguration",
              "GetBucketAbac",
              "GetBucketMetadataTableConfiguration",
              "GetIntelligentTieringConfiguration",
              "GetInventoryConfiguration",
              "GetJobTagging",
              "GetMetricsConfiguration",
              "GetObjectTorrent",
              "GetObjectVersionForReplication",
              "GetObjectVersionTorrent",
              "InitiateReplication",
              "ListAccessPoints",
              "ListJobs",
              "ObjectOwnerOverrideToBucketOwner",
              "PauseReplication",
              "PutAccelerateConfiguration",
              "PutAccessPointPolicy",
              "PutAccountPublicAccessBlock",
              "PutAnalyticsConfiguration",
              "PutBucketLogging",
              "PutBucketNotification",
              "PutBucketRequestPayment",
              "PutBucketWebsite",
              "PutEncryptionConfiguration",
              "PutIntelligentTieringConfiguration",
              "PutInventoryConfiguration",
              "PutMetricsConfiguration",
              "PutReplicationConfiguration",
              "ReplicateDelete",
              "ReplicateObject",
              "ReplicateTags",
              "RestoreObject",
              "UpdateBucketMetadataInventoryTableConfiguration")
          .map(name -> (SERVICE_PREFIX + name).toLowerCase(Locale.ROOT))
          .toList();

  private ActionElement() {}

  /**
   * The actions that match these names and patterns.
   *
   * @param negated whether the element is NotAction, and means all other actions
   * @param subjects the kinds of resources that the statement has
   */
  static Set<Action> read(List<String> texts, boolean negated, Set<Action.Subject> subjects) {
    EnumSet<Action> actions = EnumSet.noneOf(Action.class);
    for (String text : texts) {
      Set<Action> named = named(text);
      if (!negated
          && !named.isEmpty()
          && named.stream().noneMatch(action -> subjects.contains(action.subject()))) {
        throw Malformed.of("Action does not apply to any resource(s) in statement: " + text);
      }
      actions.addAll(named);
    }
    return negated ? EnumSet.complementOf(actions) : actions;
  }

  private static Set<Action> named(String text) {
    if (text.equals(ANY)) {
      return EnumSet.allOf(Action.class);
    }
    PolicyPattern pattern = new PolicyPattern(text.toLowerCase(Locale.ROOT));
    Set<Action> named = EnumSet.noneOf(Action.class);
    for (Action action : Action.values()) {
      if (pattern.fits(action.lowerCaseName())) {
        named.add(action);
      }
    }
    boolean known = !named.isEmpty() || OTHERS.stream().anyMatch(pattern::fits);
    if (!known || !pattern.pattern().startsWith(SERVICE_PREFIX)) {
      throw Malformed.of("Policy has invalid action: " + text);
    }
    return named;
  }
}
