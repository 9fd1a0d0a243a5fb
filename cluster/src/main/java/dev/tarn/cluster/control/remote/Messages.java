package dev.tarn.cluster.control.remote;

import dev.tarn.cluster.codec.Codec;
import dev.tarn.cluster.codec.MalformedMessageException;
import dev.tarn.cluster.codec.Union;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.CommandOutcome.Reason;
import dev.tarn.cluster.control.ControlCodec;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.control.StateChange;
import java.util.List;

/**
 * The messages between members and the control node, as bytes before sealing. The first byte is the
 * version of the message, see {@link ControlBinding#VERSION}.
 */
final class Messages {
  /** In the order of their codes; append only. */
  private static final List<Reason> REASONS =
      List.of(
          Reason.BUCKET_EXISTS,
          Reason.NO_SUCH_BUCKET,
          Reason.INVALID_BUCKET_NAME,
          Reason.USER_EXISTS,
          Reason.NO_SUCH_USER,
          Reason.USER_OWNS_BUCKETS,
          Reason.ACCESS_KEY_EXISTS,
          Reason.NO_SUCH_ACCESS_KEY,
          Reason.CLUSTER_HAS_AN_ID,
          Reason.NO_SUCH_TARGET,
          Reason.TARGET_IS_MEMBER,
          Reason.DISK_OF_ANOTHER_TARGET,
          Reason.DISK_UNREADABLE,
          Reason.TOO_MANY_TARGETS,
          Reason.NOTHING_CHANGES,
          Reason.NEEDS_REBALANCE,
          Reason.DELETION_ENDED,
          Reason.WRONG_BUCKET_STATE,
          Reason.NO_MAP,
          Reason.TARGET_IN_SERVICE,
          Reason.LAST_TARGET,
          Reason.DISK_OF_REMOVED_TARGET,
          Reason.BUCKET_CHANGED);

  /** The tag 1 of a rejected command was its reason by name. */
  private static final Codec<CommandOutcome> OUTCOME =
      Union.of(
          CommandOutcome.class,
          List.of(
              Union.alternative(
                  1,
                  CommandOutcome.Applied.class,
                  (out, applied) -> out.number(1, applied.version()),
                  in -> new CommandOutcome.Applied(in.number(1))),
              Union.alternative(
                  2,
                  CommandOutcome.Rejected.class,
                  (out, rejected) ->
                      out.text(2, rejected.message()).constant(3, REASONS, rejected.reason()),
                  in -> {
                    String message = in.text(2);
                    return new CommandOutcome.Rejected(in.constant(3, REASONS), message);
                  }),
              Union.alternative(
                  3,
                  CommandOutcome.Unavailable.class,
                  (out, unavailable) -> out.text(1, unavailable.message()),
                  in -> new CommandOutcome.Unavailable(in.text(1))),
              Union.alternative(
                  4,
                  CommandOutcome.Unconfirmed.class,
                  (out, unconfirmed) -> out.text(1, unconfirmed.message()),
                  in -> new CommandOutcome.Unconfirmed(in.text(1)))));

  private Messages() {}

  /**
   * The member that sends a request.
   *
   * @param audience the kind of member
   * @param clusterId of the state that it has; empty for none
   * @param knownVersion of that state; 0 for none
   * @param lacksChanges whether that state may lack changes, so that the member needs all of it
   */
  record Asking(Audience audience, String clusterId, long knownVersion, boolean lacksChanges) {
    static final Codec<Asking> CODEC =
        Codec.of(
            "member",
            (out, asking) ->
                out.constant(1, Audience.CODES, asking.audience())
                    .text(2, asking.clusterId())
                    .number(3, asking.knownVersion())
                    .flag(4, asking.lacksChanges()),
            in -> new Asking(in.constant(1, Audience.CODES), in.text(2), in.number(3), in.flag(4)));

    static Asking of(Audience audience, ControlState known, boolean lacksChanges) {
      return new Asking(audience, known.clusterId().orElse(""), known.version(), lacksChanges);
    }
  }

  /**
   * A request for a state.
   *
   * @param member the sender
   * @param waitMs how long to wait for another state; 0 to answer at once
   */
  record StateRequest(Asking member, int waitMs) {
    private static final Codec<StateRequest> CODEC =
        Codec.of(
            "state request",
            (out, request) ->
                out.message(1, Asking.CODEC, request.member()).number(2, request.waitMs()),
            in -> new StateRequest(in.message(1, Asking.CODEC), in.integer(2)));

    byte[] encode() {
      return Messages.encode(CODEC, this);
    }

    static StateRequest decode(byte[] bytes) throws MalformedMessageException {
      return Messages.decode(CODEC, bytes);
    }
  }

  /**
   * A command of a member.
   *
   * @param member the sender
   * @param command the change
   */
  record CommandRequest(Asking member, Command command) {
    private static final Codec<CommandRequest> CODEC =
        Codec.of(
            "command request",
            (out, request) ->
                out.message(1, Asking.CODEC, request.member())
                    .message(2, ControlCodec.COMMAND, request.command()),
            in ->
                new CommandRequest(
                    in.message(1, Asking.CODEC), in.message(2, ControlCodec.COMMAND)));

    byte[] encode() {
      return Messages.encode(CODEC, this);
    }

    static CommandRequest decode(byte[] bytes) throws MalformedMessageException {
      return Messages.decode(CODEC, bytes);
    }
  }

  /**
   * The outcome of a command, and the state afterwards.
   *
   * @param outcome of the command
   * @param state what the member lacks of it, so that the member knows it immediately
   */
  record CommandAnswer(CommandOutcome outcome, StateChange state) {
    private static final Codec<CommandAnswer> CODEC =
        Codec.of(
            "command answer",
            (out, answer) ->
                out.message(1, OUTCOME, answer.outcome())
                    .message(2, ControlCodec.CHANGE, answer.state()),
            in -> new CommandAnswer(in.message(1, OUTCOME), in.message(2, ControlCodec.CHANGE)));

    byte[] encode() {
      return Messages.encode(CODEC, this);
    }

    static CommandAnswer decode(byte[] bytes) throws MalformedMessageException {
      return Messages.decode(CODEC, bytes);
    }
  }

  static <T> byte[] encode(Codec<T> codec, T value) {
    return codec.encodeBehind(ControlBinding.VERSION, value);
  }

  static <T> T decode(Codec<T> codec, byte[] bytes) throws MalformedMessageException {
    int version = bytes.length == 0 ? 0 : bytes[0];
    if (version != ControlBinding.VERSION) {
      throw new MalformedMessageException(
          codec.name()
              + " has control version "
              + version
              + ", its reader speaks "
              + ControlBinding.VERSION
              + "; update the older process of the two");
    }
    return codec.decode(bytes, 1);
  }
}
