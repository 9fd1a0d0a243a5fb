package dev.tarn.cluster.map;

/**
 * Whether a member of the map serves. Either way it keeps its place: what it owns is asked of
 * nobody else until a map without it comes.
 */
public enum MemberState {
  /** Serves what it owns. */
  IN_SERVICE,
  /** Known to have failed: what it owns is unavailable. */
  OUT_OF_SERVICE
}
