package dev.tarn.standalone.demo;

import static java.util.Locale.ROOT;
import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.standalone.client.S3Options;
import dev.tarn.standalone.node.StartFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bin/tarn demo}: uploads small files, packs them into shards and reads both. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Uploads many small files as objects, packs them into shards, and reads both in random order,"
          + " on a server of its own with temporary data.",
      "Without DIR, the demo uses the class files of the running JDK."
    },
    footer = "  tarn demo ./images")
public final class DemoCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(DemoCommand.class);
  private static final String BUCKET = "demo";

  @Parameters(arity = "0..1", paramLabel = "DIR", description = "Folder of small files.")
  private @Nullable Path directory;

  @Option(
      names = "--keep",
      description = "Keep the server running and print how to connect with aws-cli.")
  private boolean keep;

  @Option(
      names = "--into",
      paramLabel = "s3://BUCKET/PREFIX",
      description =
          "Bucket and prefix on a running server, instead of a server of its own. The demo removes"
              + " its objects at the end.")
  private @Nullable String into;

  @Mixin private S3Options s3 = new S3Options();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException, StartFailure, InterruptedException {
    PrintWriter out = commandSpec().commandLine().getOut();
    if (into != null && keep) {
      throw wrongUsage("--into and --keep exclude each other");
    }
    if (into == null && s3.areGiven()) {
      throw wrongUsage("--endpoint and --credentials need --into s3://BUCKET/PREFIX too");
    }
    DemoFiles files = files();
    out.printf(ROOT, "taking %s%n", files.description());
    if (files.leftOutCount() > 0) {
      out.printf(
          ROOT,
          "leaving out %,d files: no extension, larger than %,d bytes, or a name taken already%n",
          files.leftOutCount(),
          DemoFiles.FILE_BYTES_MAX);
    }
    out.flush();
    return into == null ? runAlone(files, out) : runInto(into, files, out);
  }

  private int runInto(String bucket, DemoFiles files, PrintWriter out) throws IOException {
    StorageUrl folder;
    StorageOptions options;
    try {
      folder = S3Options.place(bucket).child("tarn-demo-" + UUID.randomUUID());
      options = s3.storage();
    } catch (IllegalArgumentException e) {
      throw wrongUsage(String.valueOf(e.getMessage()));
    }
    try (Storage storage = Storage.open(options)) {
      DemoResult result;
      try (DemoPlace place = new DemoPlace(storage, folder)) {
        result = new Demo(files, place.storage(), place.folder(), out).run();
      }
      out.println();
      out.print(result.table());
      out.println(result.lastLine());
      out.flush();
    }
    return 0;
  }

  private int runAlone(DemoFiles files, PrintWriter out)
      throws IOException, StartFailure, InterruptedException {
    DemoServer server = DemoServer.start();
    Thread removal = new Thread(() -> removeQuietly(server), "demo-removal");
    Runtime.getRuntime().addShutdownHook(removal);
    try (server) {
      DemoResult result = run(files, server, out);
      out.println();
      out.print(result.table());
      if (keep) {
        out.print(connection(server));
      }
      out.println(result.lastLine());
      out.flush();
      if (keep) {
        // Waits until a signal ends the process; the shutdown hook then removes the data.
        new CountDownLatch(1).await();
      }
    }
    return 0;
  }

  private ParameterException wrongUsage(String message) {
    return new ParameterException(commandSpec().commandLine(), message);
  }

  private CommandSpec commandSpec() {
    return requireNonNull(spec, "spec is null");
  }

  private DemoFiles files() throws IOException {
    Path given = directory;
    if (given == null) {
      return DemoFiles.ofRunningJdk();
    }
    if (!Files.isDirectory(given)) {
      throw new ParameterException(
          commandSpec().commandLine(),
          given
              + (Files.exists(given) ? " is not a directory" : " does not exist")
              + "; give a directory of small files, or none");
    }
    try {
      return DemoFiles.ofDirectory(given);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(commandSpec().commandLine(), e.getMessage(), e);
    }
  }

  private static DemoResult run(DemoFiles files, DemoServer server, PrintWriter out)
      throws IOException {
    server.createBucket(BUCKET);
    try (Storage storage = server.openStorage()) {
      StorageUrl bucket = StorageUrl.parse("s3://" + BUCKET);
      return new Demo(files, storage, bucket, out).run();
    }
  }

  private static String connection(DemoServer server) {
    return String.format(
        ROOT,
        """

        The server stays up until Ctrl-C, its data in %1$s. To look around:
          export AWS_ACCESS_KEY_ID=%2$s AWS_SECRET_ACCESS_KEY=%3$s AWS_REGION=us-east-1
          export AWS_ENDPOINT_URL=%4$s
          aws s3 ls s3://%5$s/shards/
          %6$s ls s3://%5$s/shards

        """,
        server.folder(),
        server.admin().accessKey(),
        server.admin().secretKey(),
        server.endpoint(),
        BUCKET,
        sharder());
  }

  /** The sharder beside the script that started this process. */
  private static String sharder() {
    String script = System.getProperty("tarn.launcher", "bin/tarn");
    return Path.of(script).resolveSibling("sharder").toString();
  }

  private static void removeQuietly(DemoServer server) {
    try {
      server.close();
    } catch (IOException e) {
      LOG.warn("removing the demo's data in {} failed", server.folder(), e);
    }
  }
}
