package dev.tarn.cluster.control.remote;

/**
 * How members ask the control node, over HTTP/1.1 or https. A question is a POST whose body is a
 * sealed request ({@link dev.tarn.cluster.capability.MessageSeal}); an answer of status 200 is
 * sealed for it, every other one is a line of text that says what was wrong. So both sides prove
 * the cluster's secret, and what passes between them, the key pairs of users included, is hidden
 * from others also without TLS.
 */
public final class ControlBinding {
  /** Where a member asks for the state, or for a newer one than it knows. */
  public static final String STATE_PATH = "/tarn/v1/control/state";

  /** Where a member hands in a command. */
  public static final String COMMAND_PATH = "/tarn/v1/control/command";

  /** The greatest number of bytes of a command. */
  public static final int REQUEST_BYTES_MAX = 1 << 20;

  /** The greatest number of bytes of a question for the state. */
  public static final int QUESTION_BYTES_MAX = 4 << 10;

  /** The greatest number of bytes of an answer, whose state may be large. */
  public static final int ANSWER_BYTES_MAX = 256 << 20;

  /**
   * The longest time that a member may wait for a newer state, in milliseconds: so soon it notices
   * that a connection leads nowhere.
   */
  public static final int WAIT_MS_MAX = 4_000;

  private ControlBinding() {}
}
