package dev.tarn.cluster.control;

import dev.tarn.cluster.codec.Codec;
import dev.tarn.cluster.codec.FieldReader;
import dev.tarn.cluster.codec.FieldWriter;
import dev.tarn.cluster.codec.MalformedMessageException;
import dev.tarn.cluster.codec.Union;
import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.Slot;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.object.BucketId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The encoding of commands: each has its time as the first field. */
final class CommandCodec {
  /** The number of a slot, and the epoch since which its home has it. */
  private static final Codec<Map.Entry<Integer, Long>> GIVEN =
      Codec.of(
          "given slot",
          (out, given) -> out.number(1, given.getKey()).number(2, given.getValue()),
          in -> Map.entry(in.integer(1), in.number(2)));

  static final Codec<Command> COMMAND =
      Union.of(
          Command.class,
          List.of(
              Union.alternative(
                  1,
                  Command.CreateBucket.class,
                  (out, create) ->
                      out.number(1, create.timeMs())
                          .text(2, create.name())
                          .text(3, create.ownerId())
                          .message(4, SettingsCodec.SETTINGS, create.settings()),
                  in ->
                      new Command.CreateBucket(
                          in.number(1),
                          in.text(2),
                          in.text(3),
                          in.message(4, SettingsCodec.SETTINGS))),
              Union.alternative(
                  2,
                  Command.SetBucket.class,
                  (out, set) -> {
                    writeBucket(out.number(1, set.timeMs()).text(2, set.name()), set.id())
                        .message(4, SettingsCodec.SETTINGS, set.settings())
                        .number(5, set.version(), 0);
                  },
                  in ->
                      new Command.SetBucket(
                          in.number(1),
                          in.text(2),
                          readBucket(in),
                          in.message(4, SettingsCodec.SETTINGS),
                          in.number(5, 0))),
              Union.alternative(
                  3,
                  Command.DeleteBucket.class,
                  (out, delete) ->
                      writeBucket(
                              out.number(1, delete.timeMs()).text(2, delete.name()), delete.id())
                          .number(4, delete.deletion(), 0),
                  in ->
                      new Command.DeleteBucket(
                          in.number(1), in.text(2), readBucket(in), in.number(4, 0))),
              Union.alternative(
                  4,
                  Command.ConfigureBucket.class,
                  (out, configure) ->
                      out.number(1, configure.timeMs())
                          .text(2, configure.name())
                          .number(3, configure.id().value())
                          .message(4, ConfigurationCodec.CHANGE, configure.change()),
                  in ->
                      new Command.ConfigureBucket(
                          in.number(1),
                          in.text(2),
                          new BucketId(in.number(3)),
                          in.message(4, ConfigurationCodec.CHANGE))),
              Union.alternative(
                  5,
                  Command.CreateUser.class,
                  (out, create) ->
                      out.number(1, create.timeMs()).message(2, SettingsCodec.USER, create.user()),
                  in -> new Command.CreateUser(in.number(1), in.message(2, SettingsCodec.USER))),
              Union.alternative(
                  6,
                  Command.DeleteUser.class,
                  (out, delete) -> out.number(1, delete.timeMs()).text(2, delete.userId()),
                  in -> new Command.DeleteUser(in.number(1), in.text(2))),
              Union.alternative(
                  7,
                  Command.CreateAccessKey.class,
                  (out, create) ->
                      out.number(1, create.timeMs())
                          .message(2, SettingsCodec.ACCESS_KEY, create.key()),
                  in ->
                      new Command.CreateAccessKey(
                          in.number(1), in.message(2, SettingsCodec.ACCESS_KEY))),
              Union.alternative(
                  8,
                  Command.DeleteAccessKey.class,
                  (out, delete) -> out.number(1, delete.timeMs()).text(2, delete.accessKeyId()),
                  in -> new Command.DeleteAccessKey(in.number(1), in.text(2))),
              Union.alternative(
                  9,
                  Command.NameCluster.class,
                  (out, name) -> out.number(1, name.timeMs()).text(2, name.clusterId()),
                  in -> new Command.NameCluster(in.number(1), in.text(2))),
              Union.alternative(
                  10,
                  Command.AnnounceTarget.class,
                  (out, announce) ->
                      out.number(1, announce.timeMs())
                          .message(2, MapCodec.ANNOUNCED, announce.target()),
                  in ->
                      new Command.AnnounceTarget(in.number(1), in.message(2, MapCodec.ANNOUNCED))),
              Union.alternative(
                  11,
                  Command.ForgetTarget.class,
                  (out, forget) -> out.number(1, forget.timeMs()).text(2, forget.target().value()),
                  in -> new Command.ForgetTarget(in.number(1), new TargetId(in.text(2)))),
              Union.alternative(
                  12,
                  Command.SetMembers.class,
                  (out, set) ->
                      out.number(1, set.timeMs())
                          .texts(2, set.members().stream().map(TargetId::value).sorted().toList()),
                  in ->
                      new Command.SetMembers(
                          in.number(1), targetIds(in.texts(2, ClusterMap.TARGETS_MAX)))),
              Union.alternative(
                  13,
                  Command.Restore.class,
                  (out, restore) ->
                      out.number(1, restore.timeMs()).number(2, restore.newestVersion()),
                  in -> new Command.Restore(in.number(1), in.number(2))),
              Union.alternative(
                  14,
                  Command.BeginDeletion.class,
                  (out, begin) ->
                      out.number(1, begin.timeMs())
                          .text(2, begin.name())
                          .number(3, begin.id().value()),
                  in ->
                      new Command.BeginDeletion(
                          in.number(1), in.text(2), new BucketId(in.number(3)))),
              Union.alternative(
                  15,
                  Command.KeepBucket.class,
                  (out, keep) ->
                      out.number(1, keep.timeMs())
                          .text(2, keep.name())
                          .number(3, keep.id().value())
                          .number(4, keep.deletion()),
                  in ->
                      new Command.KeepBucket(
                          in.number(1), in.text(2), new BucketId(in.number(3)), in.number(4))),
              ofTarget(
                  16, Command.AddTarget.class, Command.AddTarget::target, Command.AddTarget::new),
              ofTarget(17, Command.TakeOut.class, Command.TakeOut::target, Command.TakeOut::new),
              ofTarget(18, Command.TakeIn.class, Command.TakeIn::target, Command.TakeIn::new),
              ofTarget(
                  19,
                  Command.RemoveTarget.class,
                  Command.RemoveTarget::target,
                  Command.RemoveTarget::new),
              Union.alternative(
                  20,
                  Command.ConfirmOut.class,
                  (out, confirm) ->
                      out.number(1, confirm.timeMs())
                          .text(2, confirm.target().value())
                          .number(3, confirm.stateEpoch()),
                  in ->
                      new Command.ConfirmOut(in.number(1), new TargetId(in.text(2)), in.number(3))),
              Union.alternative(
                  21,
                  Command.GiveSlots.class,
                  (out, give) ->
                      out.number(1, give.timeMs())
                          .text(2, give.home().value())
                          .messages(
                              3,
                              GIVEN,
                              give.slots().entrySet().stream()
                                  .sorted(Map.Entry.comparingByKey())
                                  .toList()),
                  in ->
                      new Command.GiveSlots(
                          in.number(1),
                          new TargetId(in.text(2)),
                          in.messages(3, GIVEN, Slot.COUNT).stream()
                              .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)))),
              Union.alternative(
                  22,
                  Command.SwitchAccessKey.class,
                  (out, change) ->
                      out.number(1, change.timeMs())
                          .text(2, change.accessKeyId())
                          .flag(3, change.active()),
                  in -> new Command.SwitchAccessKey(in.number(1), in.text(2), in.flag(3)))));

  /** A command about one target. */
  private static <C extends Command> Union.Alternative<C> ofTarget(
      int tag, Class<C> type, Function<C, TargetId> target, BiFunction<Long, TargetId, C> command) {
    return Union.alternative(
        tag,
        type,
        (out, of) -> out.number(1, of.timeMs()).text(2, target.apply(of).value()),
        in -> command.apply(in.number(1), new TargetId(in.text(2))));
  }

  private CommandCodec() {}

  private static FieldWriter writeBucket(FieldWriter out, Optional<BucketId> id) {
    return out.number(3, id.map(BucketId::value).orElse(0L), 0);
  }

  private static Optional<BucketId> readBucket(FieldReader in) throws MalformedMessageException {
    long id = in.number(3, 0);
    return id == 0 ? Optional.empty() : Optional.of(new BucketId(id));
  }

  private static Set<TargetId> targetIds(List<String> texts) {
    return texts.stream().map(TargetId::new).collect(Collectors.toSet());
  }
}
