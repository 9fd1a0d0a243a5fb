package dev.tarn.cluster.map;

/**
 * Whether a member of the map is in service. Its state does not change placement: it stays the
 * owner of its objects until a map without it comes.
 */
public enum MemberState {
  /** The member serves the objects that it owns. */
  IN_SERVICE,
  /** The member is known to have failed; the objects that it owns are unavailable. */
  OUT_OF_SERVICE
}
