package dev.tarn.cluster.wire;

import dev.tarn.cluster.codec.VersionRange;

/**
 * The versions of the wire format. The first byte of each message names its version. A request is
 * of the newest version that caller and target speak, and its answer is of the same version.
 *
 * <p>New optional fields need no version, because older readers skip them. A new version is for
 * what an older reader would refuse: a new request, a new failure, a required field. The writer
 * asks for the version before it writes such a thing.
 */
public final class WireVersions {
  /** The versions that this release speaks. */
  public static final VersionRange SPOKEN = new VersionRange(2, 5);

  /** The versions of a target that has announced none: a release that knew one version. */
  public static final VersionRange UNANNOUNCED = new VersionRange(2, 2);

  /**
   * Since this version, callers can call over TLS. Its messages are those of the version before. A
   * target that takes calls over TLS only announces no older version.
   */
  public static final int TLS = 4;

  /** Since this version, targets know {@link dev.tarn.cluster.target.Answerer#STAND_IN}. */
  public static final int STAND_INS = 5;

  /** Since this version, callers know {@link dev.tarn.cluster.target.Failure.DeadlinePassed}. */
  static final int DEADLINES = 3;

  /** The versions of a target that takes calls over TLS only. */
  public static final VersionRange OVER_TLS = new VersionRange(TLS, SPOKEN.max());

  private WireVersions() {}
}
