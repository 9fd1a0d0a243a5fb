package dev.tarn.e2e.path;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.e2e.process.ClusterOfProcesses;
import dev.tarn.e2e.process.TarnProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * A GET passes through few classes: those of ours with a method that a signed GET of 8 KiB executes
 * in a gateway and in the target behind it, until the client has its answer. Records, enums and
 * exceptions do not count.
 */
final class GetPathTest {
  private static final int GATEWAY_CLASSES_MAX = 64;
  private static final int TARGET_CLASSES_MAX = 46;

  /** How far below its bound a count may be: fewer mean that the notes are not whole. */
  private static final int FEWER_MAX = 10;

  private static final Pattern AFTER_THE_ANSWER =
      Pattern.compile("dev\\.tarn\\.gateway\\.(metrics\\.RequestMetrics|profile\\..*)");
  private static final int WARM_UP_GETS = 20;
  private static final int ROUNDS = 5;

  @TempDir private Path folder;

  @Test
  void smallSignedGetPassesThroughFewClasses() throws Exception {
    String agent = "-javaagent:" + agentJar() + "=" + folder;
    try (ClusterOfProcesses cluster =
            new ClusterOfProcesses(folder, 1, List.of("t1"), List.of(agent));
        S3Client s3 = cluster.gateway().openS3Client()) {
      s3.createBucket(create -> create.bucket("path"));
      s3.putObject(put -> put.bucket("path").key("k"), RequestBody.fromBytes(new byte[8192]));
      for (int i = 0; i < WARM_UP_GETS; i++) {
        get(s3);
      }
      Noted noted = noted(cluster, s3);
      // What runs beside requests is not in every round.
      for (int round = 1; round < ROUNDS; round++) {
        Noted next = noted(cluster, s3);
        noted.gateway().retainAll(next.gateway());
        noted.target().retainAll(next.target());
      }

      assertThat(noted.gateway())
          .hasSizeBetween(GATEWAY_CLASSES_MAX - FEWER_MAX, GATEWAY_CLASSES_MAX);
      assertThat(noted.target()).hasSizeBetween(TARGET_CLASSES_MAX - FEWER_MAX, TARGET_CLASSES_MAX);
    }
  }

  private static void get(S3Client s3) {
    assertThat(s3.getObjectAsBytes(get -> get.bucket("path").key("k")).asByteArray()).hasSize(8192);
  }

  /** The classes of one GET on both sides, in the order in which it came to them. */
  private record Noted(List<String> gateway, List<String> target) {}

  private Noted noted(ClusterOfProcesses cluster, S3Client s3) throws Exception {
    try (Notes gateway = new Notes(cluster.gateway());
        Notes target = new Notes(cluster.target("t1"))) {
      get(s3);
      return new Noted(untilTheAnswer(gateway.end()), target.end());
    }
  }

  /**
   * Without what counts a request once its answer is written. The notes have it of this GET, of the
   * one before, of both or of none.
   */
  private static List<String> untilTheAnswer(List<String> classes) {
    return new ArrayList<>(
        classes.stream().filter(name -> !AFTER_THE_ANSWER.matcher(name).matches()).toList());
  }

  /** Without code of its own: the agent's class is on the class path of the processes. */
  private Path agentJar() throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", MethodRecorder.class.getName());
    Path jar = folder.resolve("agent.jar");
    try (OutputStream out = Files.newOutputStream(jar)) {
      new JarOutputStream(out, manifest).close();
    }
    return jar;
  }

  /** The notes that the agent of a process takes from the beginning of this to its end. */
  private final class Notes implements AutoCloseable {
    private final Socket socket;
    private final BufferedReader in;

    Notes(TarnProcess process) throws IOException {
      Path port = folder.resolve(process.handle().pid() + ".port");
      socket =
          new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(Files.readString(port)));
      in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
      in.readLine();
    }

    List<String> end() throws IOException, ClassNotFoundException {
      socket.getOutputStream().write('\n');
      List<String> counted = new ArrayList<>();
      for (String name : in.lines().toList()) {
        Class<?> type = Class.forName(name, false, getClass().getClassLoader());
        if (!type.isRecord() && !type.isEnum() && !Throwable.class.isAssignableFrom(type)) {
          counted.add(name);
        }
      }
      return counted;
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
