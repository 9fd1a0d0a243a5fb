package dev.tarn.client.write;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.Checkpoint;
import dev.tarn.client.DatasetBuilder;
import dev.tarn.client.Sample;
import dev.tarn.client.SampleIterator;
import dev.tarn.client.ShardDataset;
import dev.tarn.client.Shuffle;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.manifest.ShardEntry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShardWriterTest {
  private static final StorageUrl FOLDER = StorageUrl.parse("memory://test/data");
  private static final int SAMPLES = 100;

  @TempDir private Path temporary;

  private final MemoryStorage storage = new MemoryStorage();

  private ShardWriter.Builder builder() {
    return ShardWriter.builder(FOLDER.toString()).storage(storage);
  }

  private static String key(int number) {
    return "set/%04d".formatted(number);
  }

  private static void write(ShardWriter writer, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      byte[] text = key(i).getBytes(UTF_8);
      writer.write(
          key(i), Map.of("txt", text, "bin", new byte[i], "cls", ("" + i).getBytes(UTF_8)));
    }
  }

  private DatasetManifest write(ShardWriter.Builder builder) throws IOException {
    try (ShardWriter writer = builder.build()) {
      write(writer, 0, SAMPLES);
      return commit(writer, FOLDER);
    }
  }

  private DatasetManifest commit(ShardWriter writer, StorageUrl folder) throws IOException {
    writer.commit();
    byte[] json = storage.readAll(folder.child("dataset.json"), 1 << 20);
    return DatasetManifest.parse("dataset.json", json);
  }

  private static Map<String, Integer> read(SampleIterator samples) {
    Map<String, Integer> sizes = new LinkedHashMap<>();
    while (samples.hasNext()) {
      Sample sample = samples.next();
      assertThat(sample.decode("txt")).isEqualTo(sample.key());
      sizes.put(sample.key(), sample.get("bin").remaining());
    }
    return sizes;
  }

  private static Map<String, Integer> expected(int samples) {
    Map<String, Integer> sizes = new LinkedHashMap<>();
    IntStream.range(0, samples).forEach(i -> sizes.put(key(i), i));
    return sizes;
  }

  private List<String> files() {
    try (Stream<StoredObject> files = storage.list(FOLDER)) {
      return files.map(file -> file.url().nameUnder(FOLDER)).toList();
    }
  }

  private DatasetBuilder dataset() {
    return ShardDataset.builder().storage(storage).manifest(FOLDER.toString());
  }

  @Test
  void writtenSamplesAreReadInTheirOrder() throws IOException {
    DatasetManifest manifest = write(builder().samplesMax(30));
    assertThat(manifest.shards())
        .extracting(ShardEntry::samples)
        .containsExactly(30L, 30L, 30L, 10L);
    assertThat(files()).startsWith("dataset.json", "shard-000000.tar").hasSize(9);
    try (ShardDataset dataset = dataset().build();
        SampleIterator samples = dataset.iterate(0)) {
      assertThat(dataset.sampleCount()).hasValue(SAMPLES);
      assertThat(read(samples)).containsExactlyEntriesOf(expected(SAMPLES));
    }
  }

  @Test
  void everyFeatureOfTheDatasetWorksOnIt() throws IOException {
    write(builder().samplesMax(30));
    try (ShardDataset dataset = dataset().shuffle(Shuffle.FULL).seed(3).build()) {
      assertThat(dataset.get(71).key()).isEqualTo(key(71));
      assertThat(dataset.get(key(45)).bytes("bin")).hasSize(45);
      Map<String, Integer> both = new LinkedHashMap<>();
      Checkpoint checkpoint;
      try (SampleIterator samples = dataset.iterate(1)) {
        for (int i = 0; i < 40; i++) {
          Sample sample = samples.next();
          both.put(sample.key(), sample.get("bin").remaining());
        }
        checkpoint = samples.checkpoint();
      }
      try (SampleIterator samples = dataset.resume(checkpoint)) {
        Map<String, Integer> rest = read(samples);
        assertThat(rest).hasSize(SAMPLES - 40);
        both.putAll(rest);
      }
      assertThat(both).containsExactlyInAnyOrderEntriesOf(expected(SAMPLES));
    }
  }

  @Test
  void settingsThatCannotBeAreRefused() {
    assertThatThrownBy(() -> ShardWriter.builder("https://u:secret@host/data?key=secret"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "https://host/data: a web server cannot be written to: expected a local path or"
                + " s3://bucket/folder");
    assertThatThrownBy(() -> builder().storageOptions(StorageOptions.defaults()).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("both a storage and storage options are set; set only one of them");
    assertThatThrownBy(() -> builder().pattern("shard-%06d.tar.gz"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "pattern \"shard-%06d.tar.gz\": shards are written as plain tars, expected one as"
                + " shard-%06d.tar");
  }

  @Test
  void memberWithoutBytesIsNamed() throws IOException {
    Map<String, byte[]> members = new LinkedHashMap<>();
    members.put("txt", null);
    try (ShardWriter writer = builder().build()) {
      assertThatThrownBy(() -> writer.write("a", members))
          .isInstanceOf(NullPointerException.class)
          .hasMessage("member txt of sample a is null");
      writer.write("a", Map.of("txt", new byte[1]));
      writer.commit();
    }
  }

  @Test
  void shardsKeepTheirBoundInBytes() throws IOException {
    DatasetManifest manifest = write(builder().bytesMax(51_200));
    assertThat(manifest.shards()).hasSizeGreaterThan(3).allMatch(shard -> shard.size() <= 51_200);
    assertThat(manifest.samples()).isEqualTo(SAMPLES);
    try (ShardWriter writer =
        ShardWriter.builder("memory://test/other").storage(storage).bytesMax(20_480).build()) {
      assertThatThrownBy(() -> writer.write("large", Map.of("bin", new byte[20_000])))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("sample \"large\" needs a shard of 30720 bytes");
      writer.write("small", Map.of("bin", new byte[10]));
      assertThat(commit(writer, StorageUrl.parse("memory://test/other")).samples()).isEqualTo(1);
    }
  }

  @Test
  void sameSamplesGiveTheSameBytesWhateverTheOrderOfTheirMembers() throws IOException {
    Map<String, byte[]> forwards = new LinkedHashMap<>();
    Map<String, byte[]> backwards = new LinkedHashMap<>();
    for (int i = 0; i < 9; i++) {
      forwards.put("e" + i, new byte[i]);
      backwards.put("e" + (8 - i), new byte[8 - i]);
    }
    List<byte[]> shards = new ArrayList<>();
    for (Map<String, byte[]> members : List.of(forwards, backwards)) {
      String folder = "memory://test/" + shards.size();
      try (ShardWriter writer = ShardWriter.builder(folder).storage(storage).build()) {
        writer.write("a", members);
        writer.commit();
      }
      StorageUrl shard = StorageUrl.parse(folder + "/shard-000000.tar");
      shards.add(storage.readAll(shard, 1 << 20));
    }
    assertThat(shards.get(0)).isEqualTo(shards.get(1));
  }

  @Test
  void contentsMayBeStreamsAndFiles() throws IOException {
    byte[] large = new byte[300_000];
    large[299_999] = 7;
    Path file = Files.write(temporary.resolve("large"), large);
    try (ShardWriter writer = ShardWriter.builder(temporary + "/data").split("train").build()) {
      writer.writeContents(
          "a",
          Map.of(
              "file",
              MemberContent.of(file),
              "stream",
              new MemberContent(300_000, () -> new ByteArrayInputStream(large))));
      writer.commit();
    }
    assertThat(temporary.resolve("data/train/shard-000000.tar")).exists();
    try (ShardDataset dataset = ShardDataset.builder().manifest(temporary + "/data").build();
        SampleIterator samples = dataset.iterate(0)) {
      Sample sample = samples.next();
      assertThat(sample.bytes("file")).isEqualTo(large);
      assertThat(sample.bytes("stream")).isEqualTo(large);
    }
  }

  @ParameterizedTest
  @CsvSource({"99999,has more", "100001,lacks 1 bytes"})
  void contentOfAnotherLengthEndsTheWriter(long size, String message) throws IOException {
    try (ShardWriter writer = builder().build()) {
      writer.write("a", Map.of("txt", new byte[1]));
      MemberContent wrong =
          new MemberContent(size, () -> new ByteArrayInputStream(new byte[100_000]));
      assertThatThrownBy(() -> writer.writeContents("b", Map.of("bin", wrong)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("member b.bin was said to have " + size + " bytes and " + message);
      assertThatThrownBy(writer::commit)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("it failed at sample \"b\"");
    }
    assertThat(files()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "a.b,txt,is of the sample \"a\"",
    "a,TXT,is of the sample \"a\"",
    "a,b/c,belongs to no sample",
    "__a__/b,txt,belongs to no sample",
    "'',txt,belongs to no sample",
    "a,'',an extension must not be empty",
    "a,.txt,or begin with a dot"
  })
  void namesThatWouldBeReadAsSomethingElseAreRefused(String key, String extension, String message)
      throws IOException {
    try (ShardWriter writer = builder().build()) {
      assertThatThrownBy(() -> writer.write(key, Map.of(extension, new byte[1])))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(message);
      writer.write("a", Map.of("x.txt", new byte[1]));
      assertThatThrownBy(() -> writer.write("a", Map.of("b", new byte[1])))
          .hasMessageContaining("key \"a\" is also the key of the sample before");
      assertThatThrownBy(() -> writer.write("b", Map.of())).hasMessageContaining("no members");
      assertThat(commit(writer, FOLDER).samples()).isEqualTo(1);
    }
  }

  @Test
  void withoutCommitThereIsNoDatasetAndNoPartOfAShard() throws IOException {
    try (ShardWriter writer = builder().samplesMax(30).build()) {
      write(writer, 0, 70);
      assertThat(files()).hasSize(4);
    }
    assertThat(files())
        .containsExactly(
            "shard-000000.tar",
            "shard-000000.tar.tarnidx",
            "shard-000001.tar",
            "shard-000001.tar.tarnidx");
    assertThatThrownBy(() -> dataset().build()).hasMessageContaining("no manifest there");
  }

  @Test
  void whatAKilledWriterLeftIsReplacedOnlyWhereThatIsAsked() throws IOException {
    Path folder = temporary.resolve("data");
    ShardWriter.Builder builder = ShardWriter.builder(folder.toString()).samplesMax(10);
    try (Storage local = Storage.open()) {
      ShardWriter killed = builder.storage(local).build();
      write(killed, 0, 25);
    }
    assertThat(names(folder)).hasSize(5).anyMatch(name -> name.startsWith(".tarn-part-"));
    assertThatThrownBy(builder::build)
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("a shard without a manifest is there");
    try (Storage local = Storage.open();
        ShardWriter writer = builder.storage(local).replaceUnfinished().build()) {
      assertThat(names(folder)).isEmpty();
      write(writer, 0, 5);
      writer.commit();
    }
    assertThat(names(folder))
        .containsExactly("dataset.json", "shard-000000.tar", "shard-000000.tar.tarnidx");
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void datasetThatIsThereStays() throws IOException {
    write(builder());
    assertThatThrownBy(() -> builder().replaceUnfinished().build())
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("a dataset is there already");
    try (SampleIterator samples = dataset().build().iterate(0)) {
      assertThat(read(samples)).hasSize(SAMPLES);
    }
  }

  @Test
  void twoWritersIntoOnePlaceMakeNoMixedDataset() throws IOException {
    try (ShardWriter first = builder().build();
        ShardWriter second = builder().build()) {
      write(first, 0, 10);
      write(second, 0, 20);
      assertThat(commit(second, FOLDER).samples()).isEqualTo(20);
      byte[] shard = storage.readAll(FOLDER.child("shard-000000.tar"), 1 << 20);
      assertThatThrownBy(first::commit).isInstanceOf(FileAlreadyExistsException.class);
      assertThat(storage.readAll(FOLDER.child("shard-000000.tar"), 1 << 20)).isEqualTo(shard);
    }
  }

  @Test
  void filesOfOtherNamesThanTheWritersStayWhenLeftoversAreReplaced() throws IOException {
    storage.write(FOLDER.child("shard-7.tar"), ByteBuffer.allocate(10));
    storage.write(FOLDER.child("shard-20261122.tar"), ByteBuffer.allocate(10));
    try (ShardWriter writer = builder().replaceUnfinished().build()) {
      write(writer, 0, 10);
      commit(writer, FOLDER);
    }
    assertThat(storage.exists(FOLDER.child("shard-7.tar"))).isTrue();
    assertThat(storage.exists(FOLDER.child("shard-20261122.tar"))).isFalse();
  }

  @Test
  void shardReplacedBySomebodyElseMakesNoDataset() throws IOException {
    try (ShardWriter writer = builder().samplesMax(10).build()) {
      write(writer, 0, 15);
      storage.write(FOLDER.child("shard-000000.tar"), ByteBuffer.allocate(10));
      assertThatThrownBy(writer::commit)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("shard-000000.tar: another process replaced or deleted it");
    }
    assertThat(storage.exists(FOLDER.child("dataset.json"))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"shard-000001.tar", "shard-000001.tar.tarnidx"})
  void shardThatSomebodyElseWroteMeanwhileIsNotReplaced(String name) throws IOException {
    StorageUrl file = FOLDER.child(name);
    try (ShardWriter writer = builder().samplesMax(10).build()) {
      write(writer, 0, 15);
      storage.write(file, UTF_8.encode("precious"));
      assertThatThrownBy(writer::commit)
          .isInstanceOf(FileAlreadyExistsException.class)
          .hasMessageContaining("another process wrote " + file + " meanwhile");
    }
    assertThat(storage.readAll(file, 100)).isEqualTo("precious".getBytes(UTF_8));
    assertThat(storage.exists(FOLDER.child("dataset.json"))).isFalse();
  }

  @Test
  void emptyDatasetIsNone() throws IOException {
    try (ShardWriter writer = builder().build()) {
      assertThatThrownBy(writer::commit)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("no sample was added");
    }
  }
}
