package dev.tarn.cluster.control;

import static dev.tarn.cluster.control.StateTables.table;

import dev.tarn.cluster.codec.Codec;
import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.object.BucketId;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The encoding of commands and states; the same value has the same bytes everywhere. A file that
 * stores them also stores {@link #FORMAT_VERSION}.
 */
public final class ControlCodec {
  /** The version of the format. Versions 1 to 3 were not made of tagged fields. */
  public static final int FORMAT_VERSION = 4;

  /** More buckets, users or keys than fit the largest state that a control node sends. */
  private static final int NAMED_MAX = 10_000_000;

  public static final Codec<Command> COMMAND = CommandCodec.COMMAND;

  private static final Codec<Bucket.Deletion> DELETION =
      Codec.of(
          "deletion",
          (out, deletion) -> out.number(1, deletion.version()).number(2, deletion.begunMs()),
          in -> new Bucket.Deletion(in.number(1), in.number(2)));

  private static final Codec<Bucket> BUCKET =
      Codec.of(
          "bucket",
          (out, bucket) -> {
            out.number(1, bucket.id().value())
                .text(2, bucket.name())
                .text(3, bucket.ownerId())
                .number(4, bucket.createdMs())
                .number(5, bucket.settingsVersion())
                .message(6, SettingsCodec.SETTINGS, bucket.settings())
                .message(7, ConfigurationCodec.CONFIGURATION, bucket.configuration())
                .message(8, DELETION, bucket.deletion());
          },
          in ->
              new Bucket(
                  new BucketId(in.number(1)),
                  in.text(2),
                  in.text(3),
                  in.number(4),
                  in.number(5),
                  in.message(6, SettingsCodec.SETTINGS),
                  in.message(7, ConfigurationCodec.CONFIGURATION),
                  in.optionalMessage(8, DELETION)));

  private static final Codec<StateTables> TABLES =
      Codec.of(
          "tables",
          (out, tables) ->
              out.text(1, tables.clusterId())
                  .number(2, tables.nextBucketId())
                  .messages(3, BUCKET, tables.bucketsByName().values())
                  .messages(4, SettingsCodec.USER, tables.usersByName().values())
                  .messages(5, SettingsCodec.ACCESS_KEY, tables.keysById().values())
                  .messages(6, MapCodec.ANNOUNCED, tables.announced().values())
                  .message(7, MapCodec.MAP, tables.map())
                  .number(8, tables.lostBucketIds().first(), 0)
                  .number(9, tables.lostBucketIds().end(), 0)
                  .texts(10, tables.removedDisks().stream().map(DiskId::value).toList()),
          in -> {
            Optional<String> clusterId = in.optionalText(1);
            long nextBucketId = in.number(2);
            SortedMap<String, Bucket> buckets =
                table(in.messages(3, BUCKET, NAMED_MAX), Bucket::name);
            SortedMap<String, User> users =
                table(in.messages(4, SettingsCodec.USER, NAMED_MAX), User::name);
            SortedMap<String, AccessKey> keys =
                table(in.messages(5, SettingsCodec.ACCESS_KEY, NAMED_MAX), AccessKey::id);
            SortedMap<TargetId, AnnouncedTarget> announced =
                table(
                    in.messages(6, MapCodec.ANNOUNCED, ClusterMap.TARGETS_MAX),
                    AnnouncedTarget::id);
            Optional<ClusterMap> map = in.optionalMessage(7, MapCodec.MAP);
            StateTables.BucketIds lost =
                new StateTables.BucketIds(in.number(8, 0), in.number(9, 0));
            SortedSet<DiskId> removed =
                in.texts(10, NAMED_MAX).stream()
                    .map(DiskId::new)
                    .collect(Collectors.toCollection(TreeSet::new));
            return new StateTables(
                clusterId, nextBucketId, buckets, users, keys, announced, map, removed, lost);
          });

  /** Complete states. */
  public static final Codec<ControlState> STATE =
      Codec.of(
          "control state",
          (out, state) -> out.number(1, state.version()).message(2, TABLES, state.tables()),
          in -> new ControlState(in.number(1), in.message(2, TABLES)));

  /** What members get of states. */
  public static final Codec<StateChange> CHANGE =
      Codec.of(
          "state change",
          (out, change) ->
              out.number(1, change.version())
                  .text(2, change.clusterId())
                  .message(3, TABLES, change.rest())
                  .message(4, MapCodec.MAP, change.map()),
          in ->
              new StateChange(
                  in.number(1),
                  in.optionalText(2),
                  in.optionalMessage(3, TABLES),
                  in.optionalMessage(4, MapCodec.MAP)));

  private ControlCodec() {}
}
