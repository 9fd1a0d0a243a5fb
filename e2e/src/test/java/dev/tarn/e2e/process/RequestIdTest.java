package dev.tarn.e2e.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** From the request id that a client got to the log of the target that failed. */
@Timeout(120)
class RequestIdTest {
  private static final String BUCKET = "ids";
  private static final String CONTENT = "find these bytes ".repeat(512);

  @TempDir private Path folder;

  @Test
  void targetLogsADamagedObjectWithTheRequestIdOfTheClient() throws IOException {
    try (ClusterOfProcesses cluster = new ClusterOfProcesses(folder, List.of("t1"));
        S3Client s3 = cluster.gateway().openS3Client()) {
      s3.createBucket(create -> create.bucket(BUCKET));
      s3.putObject(put -> put.bucket(BUCKET).key("key"), RequestBody.fromString(CONTENT));
      try (Stream<Path> files = Files.walk(folder.resolve("t1"))) {
        files.filter(Files::isRegularFile).forEach(RequestIdTest::damage);
      }

      S3Exception refused =
          catchThrowableOfType(
              S3Exception.class, () -> s3.getObjectAsBytes(get -> get.bucket(BUCKET).key("key")));

      assertThat(refused.statusCode()).isEqualTo(500);
      assertThat(Files.readString(folder.resolve("t1").resolve("tarn.log")))
          .contains("(request " + refused.requestId() + " of user ");
    }
  }

  /** Changes the object's bytes in a file that has them. */
  private static void damage(Path file) {
    try {
      int at = Files.readString(file, StandardCharsets.ISO_8859_1).indexOf(CONTENT);
      if (at >= 0) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          channel.write(ByteBuffer.wrap(new byte[] {0}), at);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
