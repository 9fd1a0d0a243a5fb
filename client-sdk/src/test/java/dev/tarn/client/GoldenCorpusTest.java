package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Archives by GNU tar, bsdtar, Python and WebDataset, plain and compressed, are read as WebDataset
 * reads them: the corpus of {@code shard-format}, or the one that {@code golden.corpus} names.
 */
final class GoldenCorpusTest {
  /** A sample by its key, and each extension's data in hexadecimal. */
  private record Golden(String key, Map<String, String> members) {
    static Golden of(Sample sample) {
      Map<String, String> members = new LinkedHashMap<>();
      for (String extension : sample.extensions()) {
        members.put(extension, HexFormat.of().formatHex(sample.bytes(extension)));
      }
      return new Golden(sample.key(), members);
    }
  }

  @TempDir private Path temporary;

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

  private static DatasetBuilder dataset(String archive) {
    return ShardDataset.builder().shards(List.of(corpus(archive).toString()));
  }

  private static List<Golden> read(SampleIterator samples) {
    List<Golden> read = new ArrayList<>();
    samples.forEachRemaining(sample -> read.add(Golden.of(sample)));
    return read;
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

  @ParameterizedTest
  @MethodSource("archives")
  void samplesAreThoseOfWebDataset(String archive) throws IOException {
    try (ShardDataset dataset = dataset(archive).build();
        SampleIterator samples = dataset.iterate(0)) {
      assertThat(read(samples)).isEqualTo(expected(archive));
    }
  }

  @ParameterizedTest
  @MethodSource("archives")
  void indexedArchivesGiveTheSameInOrderShuffledAndByNumber(String archive) throws IOException {
    List<Golden> expected = expected(archive);
    try (ShardDataset dataset =
            dataset(archive).cache(temporary.resolve("cache")).shuffle(Shuffle.FULL).build();
        SampleIterator samples = dataset.iterate(0)) {
      assertThat(dataset.sampleCount()).hasValue(expected.size());
      assertThat(read(samples)).containsExactlyInAnyOrderElementsOf(expected);
      for (int number = 0; number < expected.size(); number++) {
        assertThat(Golden.of(dataset.get(number))).isEqualTo(expected.get(number));
      }
    }
  }

  @Test
  void extensionThatIsThereTwiceIsAnError() throws IOException {
    try (ShardDataset dataset = dataset("duplicates.tar").build();
        SampleIterator samples = dataset.iterate(0)) {
      assertThatThrownBy(() -> read(samples))
          .isInstanceOf(DatasetException.class)
          .hasMessageContaining("duplicates.tar at byte 1024: ")
          .hasMessageContaining("member \"a.jpg\" is the second");
    }
  }
}
