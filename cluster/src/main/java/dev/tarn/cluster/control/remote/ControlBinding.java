package dev.tarn.cluster.control.remote;

/**
 * How members call the control node, over HTTP/1.1 or https. A request is a POST whose body is a
 * sealed message ({@link dev.tarn.cluster.capability.MessageSeal}). An answer of status 200 is
 * sealed for that request; any other answer is a line of text that says what was wrong. Both sides
 * therefore prove the cluster's secret. The content, which includes the key pairs of users, is
 * encrypted even without TLS.
 */
public final class ControlBinding {
  /** The version of the messages: the first byte of each. Readers refuse others. */
  public static final int VERSION = 2;

  /** The path for the state, or for a newer one than the member has. */
  public static final String STATE_PATH = "/tarn/v1/control/state";

  /** The path for commands. */
  public static final String COMMAND_PATH = "/tarn/v1/control/command";

  /** The greatest size of a command in bytes. */
  public static final int REQUEST_BYTES_MAX = 1 << 20;

  /** The greatest size of a request for the state in bytes. */
  public static final int QUESTION_BYTES_MAX = 8 << 10;

  /** The greatest size of an answer in bytes; its state may be large. */
  public static final int ANSWER_BYTES_MAX = 256 << 20;

  /**
   * The longest time that a member may wait for a newer state, in milliseconds. It bounds the time
   * until the member detects a dead connection.
   */
  public static final int WAIT_MS_MAX = 4_000;

  private ControlBinding() {}
}
