package dev.tarn.standalone.command;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.standalone.client.S3Options;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bin/tarn check}: puts, gets, lists and deletes one object through S3. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Test a server: put, get, compare, list and delete one object.",
      "Without options, the endpoint and the key pair are those that aws-cli uses."
    },
    footer = "  tarn check s3://data/ --endpoint http://127.0.0.1:9000")
final class CheckCommand implements Callable<Integer> {
  private static final int OBJECT_BYTES = 1 << 20;

  @Parameters(
      paramLabel = "s3://BUCKET/PREFIX",
      description =
          "Existing bucket and a prefix; the test object gets a unique name below the prefix.")
  private String place = "";

  @Mixin private S3Options s3 = new S3Options();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    StorageOptions options;
    StorageUrl object;
    try {
      options = s3.storage();
      object = S3Options.place(place).child("tarn-check-" + UUID.randomUUID());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(line().commandLine(), String.valueOf(e.getMessage()), e);
    }
    try (Storage storage = Storage.open(options)) {
      check(storage, object);
    }
    return 0;
  }

  private void check(Storage storage, StorageUrl object) throws IOException {
    byte[] bytes = new byte[OBJECT_BYTES];
    new SecureRandom().nextBytes(bytes);
    step("put", object, () -> storage.write(object, ByteBuffer.wrap(bytes)));
    try {
      step(
          "get",
          object,
          () ->
              expect(
                  Arrays.equals(storage.readAll(object, OBJECT_BYTES), bytes),
                  object,
                  "differs from the object that was put"));
      step("list", object, () -> expect(isListed(storage, object), object, "is not listed"));
    } finally {
      step("delete", object, () -> storage.delete(object));
    }
    step(
        "list",
        object,
        () -> expect(!isListed(storage, object), object, "is still listed after it was deleted"));
  }

  private static boolean isListed(Storage storage, StorageUrl object) throws IOException {
    try (Stream<StoredObject> listed = storage.list(object.parent())) {
      return listed.anyMatch(each -> each.url().equals(object) && each.size() == OBJECT_BYTES);
    }
  }

  private static void expect(boolean holds, StorageUrl object, String otherwise)
      throws IOException {
    if (!holds) {
      throw new IOException(object + " " + otherwise);
    }
  }

  private void step(String name, StorageUrl object, Step step) throws IOException {
    long start = System.nanoTime();
    step.run();
    PrintWriter out = line().commandLine().getOut();
    out.printf(
        "%-6s %s: ok, %d ms%n",
        name, object, Duration.ofNanos(System.nanoTime() - start).toMillis());
    out.flush();
  }

  private CommandSpec line() {
    return requireNonNull(spec, "picocli sets the spec");
  }

  /** One request or more. */
  @FunctionalInterface
  private interface Step {
    void run() throws IOException;
  }
}
