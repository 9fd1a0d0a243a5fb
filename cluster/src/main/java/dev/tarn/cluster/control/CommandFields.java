package dev.tarn.cluster.control;

import static dev.tarn.cluster.control.ValueFields.readAll;
import static dev.tarn.cluster.control.ValueFields.readSettings;
import static dev.tarn.cluster.control.ValueFields.readText;
import static dev.tarn.cluster.control.ValueFields.writeAll;
import static dev.tarn.cluster.control.ValueFields.writeSettings;
import static dev.tarn.cluster.control.ValueFields.writeText;

import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.object.BucketId;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A command: a tag, the time, its fields. Tags are never given a second meaning. */
final class CommandFields {
  private static final int CREATE_BUCKET = 1;
  private static final int SET_BUCKET_OF_NAME = 2;
  private static final int DELETE_BUCKET_OF_NAME = 3;
  private static final int CREATE_USER = 4;
  private static final int DELETE_USER = 5;
  private static final int CREATE_ACCESS_KEY = 6;
  private static final int DELETE_ACCESS_KEY = 7;
  private static final int NAME_CLUSTER = 8;
  private static final int ANNOUNCE_TARGET = 9;
  private static final int FORGET_TARGET = 10;
  private static final int SET_MEMBERS = 11;
  private static final int SET_BUCKET = 12;
  private static final int DELETE_BUCKET = 13;
  private static final int RESTORE = 14;
  private static final int CONFIGURE_BUCKET = 15;

  private CommandFields() {}

  static void write(DataOutputStream out, Command command) throws IOException {
    if (command instanceof Command.CreateBucket create) {
      start(out, CREATE_BUCKET, create);
      writeText(out, create.name());
      writeText(out, create.ownerId());
      writeSettings(out, create.settings());
    } else if (command instanceof Command.SetBucket set) {
      start(out, set.id().isPresent() ? SET_BUCKET : SET_BUCKET_OF_NAME, set);
      writeBucketId(out, set.id());
      writeText(out, set.name());
      writeSettings(out, set.settings());
    } else if (command instanceof Command.DeleteBucket delete) {
      start(out, delete.id().isPresent() ? DELETE_BUCKET : DELETE_BUCKET_OF_NAME, delete);
      writeBucketId(out, delete.id());
      writeText(out, delete.name());
    } else if (command instanceof Command.ConfigureBucket configure) {
      start(out, CONFIGURE_BUCKET, configure);
      out.writeLong(configure.id().value());
      writeText(out, configure.name());
      ConfigurationFields.writeChange(out, configure.change());
    } else if (command instanceof Command.CreateUser create) {
      start(out, CREATE_USER, create);
      ValueFields.writeUser(out, create.user());
    } else if (command instanceof Command.DeleteUser delete) {
      start(out, DELETE_USER, delete);
      writeText(out, delete.userId());
    } else if (command instanceof Command.CreateAccessKey create) {
      start(out, CREATE_ACCESS_KEY, create);
      ValueFields.writeAccessKey(out, create.key());
    } else if (command instanceof Command.DeleteAccessKey delete) {
      start(out, DELETE_ACCESS_KEY, delete);
      writeText(out, delete.accessKeyId());
    } else {
      writeOfMembers(out, command);
    }
  }

  private static void writeOfMembers(DataOutputStream out, Command command) throws IOException {
    if (command instanceof Command.NameCluster name) {
      start(out, NAME_CLUSTER, name);
      writeText(out, name.clusterId());
    } else if (command instanceof Command.AnnounceTarget announce) {
      start(out, ANNOUNCE_TARGET, announce);
      MapFields.writeAnnounced(out, announce.target());
    } else if (command instanceof Command.ForgetTarget forget) {
      start(out, FORGET_TARGET, forget);
      writeText(out, forget.target().value());
    } else if (command instanceof Command.SetMembers set) {
      start(out, SET_MEMBERS, set);
      writeAll(out, new TreeSet<>(set.members()), (to, member) -> writeText(to, member.value()));
    } else if (command instanceof Command.Restore restore) {
      start(out, RESTORE, restore);
      out.writeLong(restore.newestVersion());
    } else {
      throw new IllegalArgumentException("no tag for " + command.getClass().getName());
    }
  }

  static Command read(DataInputStream in) throws IOException {
    int tag = in.readUnsignedByte();
    long timeMs = in.readLong();
    return switch (tag) {
      case CREATE_BUCKET ->
          new Command.CreateBucket(timeMs, readText(in), readText(in), readSettings(in));
      case SET_BUCKET_OF_NAME ->
          new Command.SetBucket(timeMs, readText(in), Optional.empty(), readSettings(in));
      case DELETE_BUCKET_OF_NAME ->
          new Command.DeleteBucket(timeMs, readText(in), Optional.empty());
      case SET_BUCKET -> {
        Optional<BucketId> id = Optional.of(new BucketId(in.readLong()));
        yield new Command.SetBucket(timeMs, readText(in), id, readSettings(in));
      }
      case DELETE_BUCKET -> {
        Optional<BucketId> id = Optional.of(new BucketId(in.readLong()));
        yield new Command.DeleteBucket(timeMs, readText(in), id);
      }
      case CONFIGURE_BUCKET -> {
        BucketId id = new BucketId(in.readLong());
        String name = readText(in);
        yield new Command.ConfigureBucket(timeMs, name, id, ConfigurationFields.readChange(in));
      }
      case CREATE_USER -> new Command.CreateUser(timeMs, ValueFields.readUser(in));
      case DELETE_USER -> new Command.DeleteUser(timeMs, readText(in));
      case CREATE_ACCESS_KEY -> new Command.CreateAccessKey(timeMs, ValueFields.readAccessKey(in));
      case DELETE_ACCESS_KEY -> new Command.DeleteAccessKey(timeMs, readText(in));
      case NAME_CLUSTER -> new Command.NameCluster(timeMs, readText(in));
      case ANNOUNCE_TARGET -> new Command.AnnounceTarget(timeMs, MapFields.readAnnounced(in));
      case FORGET_TARGET -> new Command.ForgetTarget(timeMs, new TargetId(readText(in)));
      case SET_MEMBERS ->
          new Command.SetMembers(
              timeMs, Set.copyOf(readAll(in, from -> new TargetId(readText(from)))));
      case RESTORE -> new Command.Restore(timeMs, in.readLong());
      default -> throw new IOException("command has the tag " + tag + ", which is unknown here");
    };
  }

  private static void writeBucketId(DataOutputStream out, Optional<BucketId> id)
      throws IOException {
    if (id.isPresent()) {
      out.writeLong(id.orElseThrow().value());
    }
  }

  private static void start(DataOutputStream out, int tag, Command command) throws IOException {
    out.writeByte(tag);
    out.writeLong(command.timeMs());
  }
}
