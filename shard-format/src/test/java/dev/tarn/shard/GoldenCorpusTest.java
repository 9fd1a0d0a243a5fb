package dev.tarn.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.tarn.shard.compression.ShardStreams;
import dev.tarn.shard.sample.Sample;
import dev.tarn.shard.sample.SampleReader;
import dev.tarn.shard.tar.TarReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Archives by GNU tar, bsdtar, Python and WebDataset hold the samples that WebDataset reads: those
 * of the corpus that is checked in, or those of the folder that {@code golden.corpus} names.
 */
final class GoldenCorpusTest {
  /** A sample by its key, and each extension's data in hexadecimal. */
  private record Golden(String key, Map<String, String> members) {}

  private static Path corpus(String name) {
    String folder = System.getProperty("golden.corpus");
    if (folder != null) {
      return Path.of(folder, name);
    }
    try {
      return Path.of(GoldenCorpusTest.class.getResource("/golden/" + name).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  static List<String> archives() throws IOException {
    try (Stream<Path> files = Files.list(corpus(""))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.contains(".tar") && !name.startsWith("duplicates"))
          .sorted()
          .toList();
    }
  }

  static List<String> plainArchives() throws IOException {
    return archives().stream()
        .filter(name -> name.endsWith(".tar") && !name.startsWith("gzip"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("archives")
  void samplesAreThoseOfWebDataset(String name) throws IOException {
    InputStream tar = ShardStreams.open(name, Files.newInputStream(corpus(name)));

    assertThat(samples(TarReader.of(name, tar))).isEqualTo(expected(name));
  }

  @ParameterizedTest
  @MethodSource("plainArchives")
  void mappedFileAndChannelReadAsTheStreamDoes(String name) throws IOException {
    List<Golden> expected = expected(name);
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(corpus(name)));

    assertThat(samples(TarReader.of(name, bytes))).isEqualTo(expected);
    assertThat(samples(TarReader.of(name, FileChannel.open(corpus(name))))).isEqualTo(expected);
  }

  @Test
  void extensionThatIsThereTwiceIsAnErrorHereToo() throws IOException {
    TarReader reader =
        TarReader.of("duplicates.tar", Files.newInputStream(corpus("duplicates.tar")));

    assertThatThrownBy(() -> samples(reader))
        .isInstanceOf(ShardFormatException.class)
        .hasMessageContaining("url at byte 1024: member \"a.jpg\" is the second");
  }

  private static List<Golden> samples(TarReader archive) throws IOException {
    List<Golden> samples = new ArrayList<>();
    try (SampleReader reader = new SampleReader("url", archive)) {
      for (Sample sample; (sample = reader.next()) != null; ) {
        assertThat(sample.url()).isEqualTo("url");
        Map<String, String> members = new LinkedHashMap<>();
        for (String extension : sample.members().keySet()) {
          members.put(extension, HexFormat.of().formatHex(sample.bytes(extension)));
        }
        samples.add(new Golden(sample.key(), members));
      }
    }
    return samples;
  }

  private static List<Golden> expected(String archive) throws IOException {
    Path file = corpus(archive.substring(0, archive.indexOf(".tar")) + ".json");
    List<Golden> samples = new ArrayList<>();
    try (JsonParser json = new JsonFactory().createParser(file.toFile())) {
      assertThat(json.nextToken()).isEqualTo(JsonToken.START_ARRAY);
      while (json.nextToken() == JsonToken.START_OBJECT) {
        assertThat(json.nextFieldName()).isEqualTo("key");
        String key = json.nextTextValue();
        Map<String, String> members = new LinkedHashMap<>();
        assertThat(json.nextFieldName()).isEqualTo("members");
        json.nextToken();
        for (String extension; (extension = json.nextFieldName()) != null; ) {
          members.put(extension, json.nextTextValue());
        }
        json.nextToken();
        samples.add(new Golden(key, members));
      }
    }
    assertThat(samples).isNotEmpty();
    return samples;
  }
}
