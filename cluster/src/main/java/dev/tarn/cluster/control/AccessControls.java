package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.AccessList;
import java.util.List;
import java.util.Optional;

/**
 * The settings of a bucket's owner against public access.
 *
 * @param block what is blocked; empty if nothing is set
 * @param ownership whether ACLs are in force; empty if nothing is set, then they are
 */
public record AccessControls(
    Optional<PublicAccessBlock> block, Optional<ObjectOwnership> ownership) {
  /** Nothing is set. */
  public static final AccessControls NONE = new AccessControls(Optional.empty(), Optional.empty());

  public AccessControls {
    requireNonNull(block, "block is null");
    requireNonNull(ownership, "ownership is null");
  }

  /** Whether ACLs are disabled: they can neither be set nor allow anything. */
  public boolean disablesAcls() {
    return ownership.isPresent()
        && ownership.orElseThrow() == ObjectOwnership.BUCKET_OWNER_ENFORCED;
  }

  /** The grants that apply of an ACL of the bucket or its objects. */
  public AccessList inForce(AccessList acl) {
    if (disablesAcls()) {
      return AccessList.PRIVATE;
    }
    boolean ignoresPublic = block.isPresent() && block.orElseThrow().ignoresAcls();
    return ignoresPublic ? acl.withoutGroups() : acl;
  }

  /** Whether a public ACL must not be set. */
  public boolean blocksPublicAcls() {
    return block.isPresent() && block.orElseThrow().blocksAcls();
  }

  /** Whether a public policy must not be set. */
  public boolean blocksPublicPolicy() {
    return block.isPresent() && block.orElseThrow().blocksPolicy();
  }

  /** Whether a public policy allows nothing. */
  public boolean restrictsPublicBucket() {
    return block.isPresent() && block.orElseThrow().restrictsBucket();
  }

  /**
   * The PublicAccessBlock of S3.
   *
   * @param blocksAcls whether public ACLs must not be set
   * @param ignoresAcls whether grants to everybody and to every user are ignored
   * @param blocksPolicy whether a public policy must not be set
   * @param restrictsBucket whether a public policy allows nothing
   */
  public record PublicAccessBlock(
      boolean blocksAcls, boolean ignoresAcls, boolean blocksPolicy, boolean restrictsBucket) {}

  /**
   * The OwnershipControls of S3. Objects belong to the bucket's owner in any case, so the last two
   * differ in name only.
   */
  public enum ObjectOwnership {
    /** ACLs are disabled. */
    BUCKET_OWNER_ENFORCED("BucketOwnerEnforced"),
    /** ACLs are in force. */
    BUCKET_OWNER_PREFERRED("BucketOwnerPreferred"),
    /** ACLs are in force. */
    OBJECT_WRITER("ObjectWriter");

    /** In the order of their codes in messages; append only. */
    static final List<ObjectOwnership> CODES =
        List.of(BUCKET_OWNER_ENFORCED, BUCKET_OWNER_PREFERRED, OBJECT_WRITER);

    private final String text;

    ObjectOwnership(String text) {
      this.text = text;
    }

    /** The name in S3. */
    public String text() {
      return text;
    }

    /** Finds the constant of this name in S3. */
    public static Optional<ObjectOwnership> ofText(String text) {
      return CODES.stream().filter(ownership -> ownership.text.equals(text)).findFirst();
    }
  }
}
