package dev.tarn.standalone.node;

import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.sharder.cli.output.FailureHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The cluster map of a process of the role {@code all}: its own target and disks. The data folder
 * keeps the map epoch. The epoch rises when the disks differ from the last start, since two maps
 * must not have the same epoch.
 *
 * <p>Version 1 of the file is that of releases without slots. The file holds a line with magic,
 * format version and required features, a line with the epoch, and a line with the target and its
 * disks.
 */
public final class LocalMap {
  private static final String FILE = "cluster-map";
  private static final String HEADER = "tarn-cluster-map version=2 features=none";
  private static final Pattern CONTENT =
      Pattern.compile("(?s)tarn-cluster-map version=([12]) features=none\nepoch=(\\d{1,18})\n(.*)");

  /** A node and a disk. */
  private static final int NAMES_OF_ONE_DISK = 2;

  private final Path file;
  private final long storedEpoch;
  private final String storedMembers;

  private LocalMap(Path file, long storedEpoch, String storedMembers) {
    this.file = file;
    this.storedEpoch = storedEpoch;
    this.storedMembers = storedMembers;
  }

  /** Reads the map that the last start stored. */
  public static LocalMap read(DataFolder data) throws StartFailure {
    Path file = data.path().resolve(FILE);
    try {
      if (!Files.exists(file)) {
        return new LocalMap(file, 0, "");
      }
      Matcher content = CONTENT.matcher(Files.readString(file));
      if (!content.matches()) {
        throw new StartFailure(
            file + " is not a cluster map of this version; restore it from a copy");
      }
      String members = content.group(3);
      if (content.group(1).equals("1") && members.split(" ", -1).length > NAMES_OF_ONE_DISK) {
        throw new StartFailure(
            file
                + " is of an earlier release, which placed keys on several disks in another way;"
                + " copy the objects with that release, and start this one with empty disks");
      }
      return new LocalMap(file, Long.parseLong(content.group(2)), members);
    } catch (IOException e) {
      throw new StartFailure(
          "the cluster map in " + file + " cannot be read: " + FailureHandler.message(e), e);
    }
  }

  /**
   * The epoch of the last start, at least 1. Parts that are opened before the map is made use it.
   */
  public long epoch() {
    return Math.max(1, storedEpoch);
  }

  /** The map of this node with these disks. A changed map is stored before this method returns. */
  public ClusterMap with(TargetId node, List<DiskId> disks) throws StartFailure {
    String members =
        node + disks.stream().map(disk -> " " + disk).collect(Collectors.joining()) + "\n";
    long epoch = members.equals(storedMembers) ? storedEpoch : storedEpoch + 1;
    if (epoch != storedEpoch) {
      try {
        SmallFile.write(file, HEADER + "\nepoch=" + epoch + "\n" + members);
      } catch (IOException e) {
        throw new StartFailure(
            "the cluster map in " + file + " cannot be kept: " + FailureHandler.message(e), e);
      }
    }
    return ClusterMap.empty(epoch, List.of(MapTarget.ofEqualDisks(node, disks)));
  }
}
