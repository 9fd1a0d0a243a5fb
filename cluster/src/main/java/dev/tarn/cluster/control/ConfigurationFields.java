package dev.tarn.cluster.control;

import static dev.tarn.cluster.control.ValueFields.oneOf;
import static dev.tarn.cluster.control.ValueFields.readAll;
import static dev.tarn.cluster.control.ValueFields.readText;
import static dev.tarn.cluster.control.ValueFields.writeAll;
import static dev.tarn.cluster.control.ValueFields.writeText;

import dev.tarn.cluster.object.CannedAcl;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;

/** The fields of buckets' configurations, and of the changes to their parts. */
final class ConfigurationFields {
  private static final int SET_VERSIONING = 1;
  private static final int SET_ACL = 2;
  private static final int SET_TAGS = 3;
  private static final int SET_CORS = 4;
  private static final int SET_LIFECYCLE = 5;
  private static final int SET_POLICY = 6;

  private static final int NO_EXPIRATION = 0;
  private static final int AFTER_DAYS = 1;
  private static final int ON_DATE = 2;
  private static final int OF_LONE_DELETE_MARKERS = 3;

  private ConfigurationFields() {}

  static void write(DataOutputStream out, BucketConfiguration configuration) throws IOException {
    writeVersioning(out, configuration.versioning());
    writeAcl(out, configuration.acl());
    writeTags(out, configuration.tags());
    writeAll(out, configuration.cors(), ConfigurationFields::writeCors);
    writeAll(out, configuration.lifecycle(), ConfigurationFields::writeLifecycle);
    writeText(out, configuration.policy().orElse(""));
  }

  static BucketConfiguration read(DataInputStream in) throws IOException {
    return new BucketConfiguration(
        readVersioning(in),
        readAcl(in),
        readTags(in),
        readAll(in, ConfigurationFields::readCors),
        readAll(in, ConfigurationFields::readLifecycle),
        readPolicy(in));
  }

  static void writeChange(DataOutputStream out, BucketChange change) throws IOException {
    if (change instanceof BucketChange.SetVersioning set) {
      out.writeByte(SET_VERSIONING);
      writeVersioning(out, set.versioning());
    } else if (change instanceof BucketChange.SetAcl set) {
      out.writeByte(SET_ACL);
      writeAcl(out, set.acl());
    } else if (change instanceof BucketChange.SetTags set) {
      out.writeByte(SET_TAGS);
      writeTags(out, set.tags());
    } else if (change instanceof BucketChange.SetCors set) {
      out.writeByte(SET_CORS);
      writeAll(out, set.rules(), ConfigurationFields::writeCors);
    } else if (change instanceof BucketChange.SetLifecycle set) {
      out.writeByte(SET_LIFECYCLE);
      writeAll(out, set.rules(), ConfigurationFields::writeLifecycle);
    } else if (change instanceof BucketChange.SetPolicy set) {
      out.writeByte(SET_POLICY);
      writeText(out, set.policy().orElse(""));
    } else {
      throw new IllegalArgumentException("no tag for " + change.getClass().getName());
    }
  }

  static BucketChange readChange(DataInputStream in) throws IOException {
    int tag = in.readUnsignedByte();
    return switch (tag) {
      case SET_VERSIONING -> new BucketChange.SetVersioning(readVersioning(in));
      case SET_ACL -> new BucketChange.SetAcl(readAcl(in));
      case SET_TAGS -> new BucketChange.SetTags(readTags(in));
      case SET_CORS -> new BucketChange.SetCors(readAll(in, ConfigurationFields::readCors));
      case SET_LIFECYCLE ->
          new BucketChange.SetLifecycle(readAll(in, ConfigurationFields::readLifecycle));
      case SET_POLICY -> new BucketChange.SetPolicy(readPolicy(in));
      default -> throw new IOException("bucket change has the tag " + tag + ", unknown here");
    };
  }

  private static void writeVersioning(DataOutputStream out, Versioning versioning)
      throws IOException {
    out.writeByte(
        switch (versioning) {
          case OFF -> 0;
          case ENABLED -> 1;
          case SUSPENDED -> 2;
        });
  }

  private static Versioning readVersioning(DataInputStream in) throws IOException {
    return oneOf(
        "versioning",
        in.readUnsignedByte(),
        Versioning.OFF,
        Versioning.ENABLED,
        Versioning.SUSPENDED);
  }

  private static void writeAcl(DataOutputStream out, CannedAcl acl) throws IOException {
    out.writeByte(
        switch (acl) {
          case PRIVATE -> 0;
          case PUBLIC_READ -> 1;
        });
  }

  private static CannedAcl readAcl(DataInputStream in) throws IOException {
    return oneOf("acl", in.readUnsignedByte(), CannedAcl.PRIVATE, CannedAcl.PUBLIC_READ);
  }

  /** In the order of the keys: the same tags are the same bytes everywhere. */
  private static void writeTags(DataOutputStream out, Map<String, String> tags) throws IOException {
    out.writeInt(tags.size());
    for (Map.Entry<String, String> tag : new TreeMap<>(tags).entrySet()) {
      writeText(out, tag.getKey());
      writeText(out, tag.getValue());
    }
  }

  private static Map<String, String> readTags(DataInputStream in) throws IOException {
    Map<String, String> tags = new HashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      tags.put(readText(in), readText(in));
    }
    return tags;
  }

  private static Optional<String> readPolicy(DataInputStream in) throws IOException {
    String policy = readText(in);
    return policy.isEmpty() ? Optional.empty() : Optional.of(policy);
  }

  private static void writeCors(DataOutputStream out, CorsRule rule) throws IOException {
    writeText(out, rule.id());
    for (List<String> texts :
        List.of(
            rule.allowedOrigins(),
            rule.allowedMethods(),
            rule.allowedHeaders(),
            rule.exposeHeaders())) {
      writeAll(out, texts, ValueFields::writeText);
    }
    writeInt(out, rule.maxAgeSeconds());
  }

  private static CorsRule readCors(DataInputStream in) throws IOException {
    String id = readText(in);
    List<List<String>> texts = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      texts.add(readAll(in, ValueFields::readText));
    }
    return new CorsRule(id, texts.get(0), texts.get(1), texts.get(2), texts.get(3), readInt(in));
  }

  private static void writeLifecycle(DataOutputStream out, LifecycleRule rule) throws IOException {
    writeText(out, rule.id());
    out.writeBoolean(rule.enabled());
    writeText(out, rule.filter().prefix());
    writeTags(out, rule.filter().tags());
    writeLong(out, rule.filter().largerThanBytes());
    writeLong(out, rule.filter().smallerThanBytes());
    writeExpiration(out, rule.expiration());
    writeInt(out, rule.noncurrentDays());
    writeInt(out, rule.newerNoncurrentVersions());
    writeInt(out, rule.abortUploadsAfterDays());
  }

  private static LifecycleRule readLifecycle(DataInputStream in) throws IOException {
    return new LifecycleRule(
        readText(in),
        in.readBoolean(),
        new LifecycleRule.Filter(readText(in), readTags(in), readLong(in), readLong(in)),
        readExpiration(in),
        readInt(in),
        readInt(in),
        readInt(in));
  }

  private static void writeExpiration(
      DataOutputStream out, Optional<LifecycleRule.Expiration> expiration) throws IOException {
    LifecycleRule.Expiration when = expiration.orElse(null);
    if (when instanceof LifecycleRule.AfterDays after) {
      out.writeByte(AFTER_DAYS);
      out.writeInt(after.days());
    } else if (when instanceof LifecycleRule.OnDate on) {
      out.writeByte(ON_DATE);
      out.writeLong(on.timeMs());
    } else {
      out.writeByte(when == null ? NO_EXPIRATION : OF_LONE_DELETE_MARKERS);
    }
  }

  private static Optional<LifecycleRule.Expiration> readExpiration(DataInputStream in)
      throws IOException {
    int tag = in.readUnsignedByte();
    return switch (tag) {
      case NO_EXPIRATION -> Optional.empty();
      case AFTER_DAYS -> Optional.of(new LifecycleRule.AfterDays(in.readInt()));
      case ON_DATE -> Optional.of(new LifecycleRule.OnDate(in.readLong()));
      case OF_LONE_DELETE_MARKERS -> Optional.of(new LifecycleRule.OfLoneDeleteMarkers());
      default -> throw new IOException("expiration has the tag " + tag + ", unknown here");
    };
  }

  private static void writeInt(DataOutputStream out, OptionalInt number) throws IOException {
    out.writeBoolean(number.isPresent());
    if (number.isPresent()) {
      out.writeInt(number.orElseThrow());
    }
  }

  private static OptionalInt readInt(DataInputStream in) throws IOException {
    return in.readBoolean() ? OptionalInt.of(in.readInt()) : OptionalInt.empty();
  }

  private static void writeLong(DataOutputStream out, OptionalLong number) throws IOException {
    out.writeBoolean(number.isPresent());
    if (number.isPresent()) {
      out.writeLong(number.orElseThrow());
    }
  }

  private static OptionalLong readLong(DataInputStream in) throws IOException {
    return in.readBoolean() ? OptionalLong.of(in.readLong()) : OptionalLong.empty();
  }
}
