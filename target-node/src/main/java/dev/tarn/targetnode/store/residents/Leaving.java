package dev.tarn.targetnode.store.residents;

/** Why a cached entry leaves. */
public enum Leaving {
  /** Primary data, or the headroom for it, needs its room. */
  FOR_ROOM,
  /** Other cached data of a greater value takes its room. */
  FOR_BETTER,
  /** Its bucket has more than its share, or is deleted. */
  FOR_SHARES,
  /** It was changed, deleted or damaged, or an operator dropped it. */
  DROPPED
}
