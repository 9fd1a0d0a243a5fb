package dev.tarn.cluster.target;

/** Decides which targets may answer a call, and whether the caller waits for one that is away. */
public enum Answerer {
  /** Only the owner of the key. The call waits while the owner restarts. */
  OWNER,
  /** The owner of the key, or another target if the owner is away: the call waits for none. */
  OWNER_FIRST,
  /**
   * A target that stands in for the owner. It has what it read itself, so it asks the backend each
   * time. The call waits for none.
   */
  STAND_IN,
  /** For a listing: the targets that are there. The page is marked if others have keys too. */
  WHO_IS_THERE;

  /** Whether a call waits for a target that is away. */
  public boolean waits() {
    return this == OWNER;
  }
}
