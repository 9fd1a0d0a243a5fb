package dev.tarn.sharder.source.list;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.source.ListColumns;
import dev.tarn.sharder.source.ListingFaults;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.SourceFile;
import dev.tarn.sharder.source.SourceOptions;
import dev.tarn.sharder.source.open.OpenSources;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ListSourceTest {
  private static final StorageUrl FOLDER = StorageUrl.parse("memory://store/lists");

  private final MemoryStorage storage = new MemoryStorage();

  @TempDir Path directory;

  private void file(String url, String content) throws IOException {
    storage.write(StorageUrl.parse(url), ByteBuffer.wrap(content.getBytes(UTF_8)));
  }

  private Source open(String name, String content, ListColumns columns) throws IOException {
    StorageUrl url = FOLDER.child(name);
    storage.write(url, ByteBuffer.wrap(MemberNames.encode(content)));
    return open(storage, url.toString(), columns);
  }

  private Source open(Storage from, String url, ListColumns columns) throws IOException {
    SourceOptions options =
        new SourceOptions(
            columns, false, false, false, directory, ListingFaults.ABORT, notice -> {});
    return OpenSources.open(from, List.of(StorageUrl.parse(url)), options).all().getFirst();
  }

  private static ListColumns columns(String url, String key, Map<String, String> members) {
    return new ListColumns(Optional.of(url), Optional.of(key), members);
  }

  /** The files' names and contents in the list's order, read in both ways. */
  private static Map<String, String> contents(Source source) throws IOException {
    List<SourceFile> files = new ArrayList<>();
    source.list(files::add);
    Map<String, String> contents = new LinkedHashMap<>();
    for (SourceFile file : files) {
      ByteBuffer bytes = ByteBuffer.allocate((int) file.size() + 1);
      assertThat(source.read(file, bytes)).isEqualTo((int) file.size());
      String text = new String(bytes.array(), 0, bytes.position(), UTF_8);
      assertThat(Channels.newInputStream(source.open(file)).readAllBytes())
          .isEqualTo(text.getBytes(UTF_8));
      assertThat(contents.put(file.name(), text)).isNull();
    }
    return contents;
  }

  @Test
  void linesOfTextNameFilesByUrlOrRelativePath() throws IOException {
    file("memory://store/lists/images/b.jpg", "B");
    file("memory://store/other/a.jpg", "A");
    file("memory://more/x/c.jpg", "C");
    try (Source source =
        open(
            "list.txt",
            "# images\nimages/b.jpg\r\n\nmemory://store/other/a.jpg\nmemory://more/x/c.jpg",
            ListColumns.DEFAULT)) {
      assertThat(source.isOrdered()).isTrue();
      assertThat(contents(source))
          .containsExactly(
              Map.entry("images/b.jpg", "B"),
              Map.entry("other/a.jpg", "A"),
              Map.entry("x/c.jpg", "C"));
    }
  }

  @Test
  void localListsNameFilesRelativeToThemselvesAbsoluteAndByFileUrl() throws IOException {
    Path folder = Files.createDirectories(directory.resolve("data/images"));
    Files.writeString(folder.resolve("é 1.jpg"), "1", UTF_8);
    Path second = Files.writeString(folder.resolve("b.jpg"), "2", UTF_8);
    Path third = Files.writeString(folder.resolve("c.jpg"), "3", UTF_8);
    Path list =
        Files.writeString(
            Files.createDirectory(directory.resolve("lists")).resolve("a.lst"),
            "../data/images/é 1.jpg\n%s\n%s\n".formatted(second, third.toUri()),
            UTF_8);
    try (Storage local = Storage.open();
        Source source = open(local, list.toString(), ListColumns.DEFAULT)) {
      String above = folder.toString().substring(1);
      assertThat(contents(source))
          .containsExactly(
              Map.entry("data/images/é 1.jpg", "1"),
              Map.entry(above + "/b.jpg", "2"),
              Map.entry(above + "/c.jpg", "3"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "https://host:80/d/a%20b.jpg?sig=1#x, d/a b.jpg",
    "s3://bucket/d/a%20b.jpg, d/a%20b.jpg",
    "/abs/./a.jpg, abs/a.jpg",
    "../../up/a.jpg, up/a.jpg",
    "https://host/caf%E9.jpg, caf\udce9.jpg",
  })
  void membersAreNamedByThePathAlone(String url, String name) {
    assertThat(ListedNames.of(url)).isEqualTo(name);
  }

  @Test
  void columnsOfCsvBecomeMembersBesideTheFile() throws IOException {
    file("memory://store/lists/im/1.jpg", "one");
    file("memory://store/lists/im/2.jpg", "two");
    try (Source source =
        open(
            "list.csv",
            "\ufeffurl,caption,label,note\nim/1.jpg,\"a \"\"cat\"\",\nblack\",3,x\nim/2.jpg,,4,y\n",
            new ListColumns(
                Optional.empty(), Optional.empty(), Map.of("caption", "txt", "note", "")))) {
      assertThat(contents(source))
          .containsExactly(
              Map.entry("im/1.jpg", "one"),
              Map.entry("im/1.txt", "a \"cat\",\nblack"),
              Map.entry("im/1.label", "3"),
              Map.entry("im/2.jpg", "two"),
              Map.entry("im/2.label", "4"));
    }
  }

  @Test
  void keyColumnNamesTheSampleAndMemberTheExtensionOfUrlsThatHaveNone() throws IOException {
    file("memory://store/photo?id=1", "photo");
    try (Source source =
        open(
            "list.tsv",
            "id\tphoto\tlabel\nd/000001\tmemory://store/photo?id=1\tcat\n",
            columns("photo", "id", Map.of("photo", "jpg", "label", "cls")))) {
      assertThat(contents(source))
          .containsExactly(Map.entry("d/000001.jpg", "photo"), Map.entry("d/000001.cls", "cat"));
    }
  }

  @Test
  void listWithKeysMayHoldMembersAlone() throws IOException {
    try (Source source =
        open(
            "list.csv",
            "id,caption\n1,one\n2,two\n",
            new ListColumns(Optional.empty(), Optional.of("id"), Map.of("caption", "txt")))) {
      assertThat(contents(source))
          .containsExactly(Map.entry("1.txt", "one"), Map.entry("2.txt", "two"));
    }
  }

  @Test
  void fieldsOfJsonLinesBecomeMembers() throws IOException {
    file("memory://store/lists/1.jpg", "one");
    file("memory://store/lists/2.seg.png", "two");
    try (Source source =
        open(
            "list.jsonl",
            """
            {"url": "1.jpg", "txt": "é\\n", "cls": 3, "json": {"a": [1, null]}, "no": null}

            "2.seg.png"
            """,
            ListColumns.DEFAULT)) {
      assertThat(contents(source))
          .containsExactly(
              Map.entry("1.jpg", "one"),
              Map.entry("1.txt", "é\n"),
              Map.entry("1.cls", "3"),
              Map.entry("1.json", "{\"a\":[1,null]}"),
              Map.entry("2.seg.png", "two"));
    }
  }

  @Test
  void thousandsOfFilesAreLookedUpInOrder() throws IOException {
    List<String> names = IntStream.range(0, 2000).mapToObj("%d.txt"::formatted).toList();
    for (String name : names) {
      file("memory://store/lists/" + name, name);
    }
    try (Source source = open("list.txt", String.join("\n", names), ListColumns.DEFAULT)) {
      assertThat(contents(source).keySet()).containsExactlyElementsOf(names);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a.txt | none.jpg | a.txt line 1: memory://store/lists/none.jpg: no such object",
        "a.txt | ftp://x/a.jpg | a.txt line 1: ftp://x/a.jpg: unknown scheme ftp",
        "a.csv | `a,b\n1,2\n` | a.csv line 1: no column \"url\"; there are \"a\", \"b\"",
        "a.csv | `url,url\n1,2\n` | a.csv line 1: two columns of the name \"url\"",
        "a.csv | `url,b\nx.jpg\n` | a.csv line 2: 1 values, but there are 2 columns",
        "a.csv | `url\n\"x.jpg\n` | a.csv line 2: a value begins with a quote that is never closed",
        "a.csv | `url\n\"a \"\"x\"\"` | a.csv line 2: a value begins with a quote that is never",
        "a.csv | `url,b\nx.jpg,\"a 5\" nail\n` | a.csv after line 1: not CSV: Unexpected character",
        "a.csv | `url\n1.jpg\n\udcff` | a.csv line 3: not UTF-8, as lists must be",
        "a.csv | `url,a/b\nx.jpg,1\n` | a.csv line 2: column \"a/b\" cannot be an extension",
        "a.jsonl | `{}` | a.jsonl line 1: names no file in column \"url\" and no key",
        "a.jsonl | `\n{\"url\":` | a.jsonl line 2: no JSON",
        "a.jsonl | `[1]` | a.jsonl line 1: neither a JSON object nor a string",
        "a.jsonl | `{\"url\":\"x\",\"a\":NaN}` | a.jsonl line 1: no JSON: NaN is no number in JSON",
        "a.jsonl | `{} {}` | a.jsonl line 1: more than one value",
        "a.jsonl | `{\"a\":1,\"a\":2}` | a.jsonl line 1: no JSON: Duplicate field 'a'",
      })
  void whatIsWrongWithAListIsSaidWithItsLine(String name, String content, String message)
      throws IOException {
    try (Source source = open(name, content, ListColumns.DEFAULT)) {
      assertThatThrownBy(() -> source.list(file -> {}))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("memory://store/lists/a.")
          .hasMessageContaining(message);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a.txt | `\ufeff1.jpg\n`",
        "a.csv | `\ufeffurl\n1.jpg\n`",
        "a.csv | `\ufeff\"url\"\n\"1.jpg\"\n`",
        "a.jsonl | `\ufeff{\"url\": \"1.jpg\"}\n`",
      })
  void byteOrderMarkBeforeAListIsPassedOver(String name, String content) throws IOException {
    file("memory://store/lists/1.jpg", "one");
    try (Source source = open(name, content, ListColumns.DEFAULT)) {
      assertThat(contents(source)).containsExactly(Map.entry("1.jpg", "one"));
    }
  }

  @ParameterizedTest
  @CsvSource({"txt", "csv", "jsonl"})
  void emptyListNamesNoFiles(String kind) throws IOException {
    String content = kind.equals("csv") ? "url" : "";
    try (Source source = open("a." + kind, content, ListColumns.DEFAULT)) {
      assertThat(contents(source)).isEmpty();
    }
  }

  @Test
  void pathThatBeginsWithASlashIsOfTheListsBucket() throws IOException {
    file("memory://store/data/1.jpg", "one");
    try (Source source = open("a.txt", "/data/1.jpg\n", ListColumns.DEFAULT)) {
      assertThat(contents(source)).containsExactly(Map.entry("data/1.jpg", "one"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a.csv | `url,txt\n1.jpg,one\n1.jpg,%s\n` | 600000 | a.csv line 3: column \"txt\" has"
            + " 600000 bytes, a list gives at most 524288 of a member",
        "a.txt | `1.jpg\n%s` | 5000000 | a.txt line 2: longer than 4194304 bytes",
        "a.jsonl | `\"1.jpg\"\n\"%s\"` | 5000000 | a.jsonl line 2: longer than 4194304 bytes",
        "a.csv | `url\n1.jpg\n\"%s\"` | 5000000 | a.csv after line 2: not CSV",
        "a.csv | `url\n1.jpg\n\"%s` | 5000000 | begins with a quote in line 3: is it closed?",
      })
  void whatIsTooLongForAListIsSaidWithItsLine(
      String name, String content, int length, String message) throws IOException {
    file("memory://store/lists/1.jpg", "one");
    String list = content.formatted("x".repeat(length));
    try (Source source = open(name, list, ListColumns.DEFAULT)) {
      assertThatThrownBy(() -> source.list(file -> {}))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(message);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`id,url\n../x,1.jpg\n` | line 2: key \"../x\" leads out of where it is unpacked",
        "`id,url\n,1.jpg\n` | line 2: no key: column \"id\" is empty",
        "`id,url\n1,photo\n` | line 2: photo has no extension: choose one by --member url=EXT",
      })
  void keysThatCannotBeAreErrors(String content, String message) throws IOException {
    file("memory://store/lists/1.jpg", "one");
    try (Source source = open("a.csv", content, columns("url", "id", Map.of()))) {
      assertThatThrownBy(() -> source.list(file -> {})).hasMessageContaining(message);
    }
  }

  @Test
  void extensionThatCannotBeOneIsRefused() {
    assertThatThrownBy(() -> columns("url", "id", Map.of("a", "b/c")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--member a=b/c: an extension has no slash and no NUL");
  }

  @Test
  void fileThatWasReplacedSinceItWasListedIsNoticed() throws IOException {
    file("memory://store/lists/1.jpg", "one");
    try (Source source = open("a.txt", "1.jpg", ListColumns.DEFAULT)) {
      List<SourceFile> files = new ArrayList<>();
      source.list(files::add);
      file("memory://store/lists/1.jpg", "two");

      assertThatThrownBy(() -> source.read(files.getFirst(), ByteBuffer.allocate(4)))
          .hasMessage(
              "memory://store/lists/1.jpg: changed while it was packed: it was replaced or written"
                  + " to; pack again when nothing writes to it any more");
      storage.delete(StorageUrl.parse("memory://store/lists/1.jpg"));
      assertThatThrownBy(() -> source.open(files.getFirst()))
          .hasMessage("memory://store/lists/1.jpg: vanished while it was packed");
    }
  }

  /** So that a plan fits wherever the file system is mounted, on another machine say. */
  @Test
  void localFileIsMarkedByItsTimeAlone() throws IOException {
    Path file = Files.writeString(directory.resolve("1.jpg"), "one", UTF_8);
    Path list = Files.writeString(directory.resolve("a.txt"), "1.jpg\n", UTF_8);
    try (Storage local = Storage.open();
        Source source = open(local, list.toString(), ListColumns.DEFAULT)) {
      List<SourceFile> files = new ArrayList<>();
      source.list(files::add);
      Path copy = Files.copy(file, directory.resolve("copy"), StandardCopyOption.COPY_ATTRIBUTES);
      Files.move(copy, file, StandardCopyOption.REPLACE_EXISTING);
      assertThat(source.read(files.getFirst(), ByteBuffer.allocate(4))).isEqualTo(3);

      Files.setLastModifiedTime(file, FileTime.fromMillis(files.getFirst().stamp() + 1));
      assertThatThrownBy(() -> source.read(files.getFirst(), ByteBuffer.allocate(4)))
          .hasMessageContaining("changed while it was packed");
    }
  }

  /** Rows come one after the other while the look-ups of the first are held up. */
  @ParameterizedTest
  @CsvSource({"1, 64", "500000, 33"})
  void listThatNamesManyFilesHoldsFewOfThemAtATime(int captionLength, int underWay)
      throws IOException {
    file("memory://store/lists/1.jpg", "one");
    StorageUrl url = FOLDER.child("a.csv");
    String row = "1.jpg," + "x".repeat(captionLength) + "\n";
    storage.write(url, ByteBuffer.wrap(("url,txt\n" + row.repeat(100)).getBytes(UTF_8)));
    HeldLookups held = new HeldLookups(storage, underWay);
    try (Source source = open(held, url.toString(), ListColumns.DEFAULT)) {
      List<String> names = new ArrayList<>();
      source.list(file -> names.add(file.name()));

      assertThat(names).hasSize(200).startsWith("1.jpg", "1.txt", "1.jpg");
    }
    assertThat(held.most()).isEqualTo(underWay);
  }

  @Test
  void lineOfATableThatIsNotUtf8IsThatOfTheByte() throws IOException {
    byte[] table = ("url\n" + "1.jpg\n".repeat(5000) + "caf\u00e9\n").getBytes(ISO_8859_1);
    storage.write(FOLDER.child("a.csv"), ByteBuffer.wrap(table));
    file("memory://store/lists/1.jpg", "one");
    try (Source source = open(storage, FOLDER.child("a.csv").toString(), ListColumns.DEFAULT)) {
      assertThatThrownBy(() -> source.list(file -> {}))
          .hasMessageContaining("a.csv line 5002: not");
    }
  }

  @Test
  void rowOfATableHasABoundToo() throws IOException {
    StorageUrl url = FOLDER.child("a.csv");
    String cell = "," + "x".repeat(500_000);
    String table = "url,a,b,c,d,e,f,g,h,i\n1.jpg" + cell.repeat(9) + "\n";
    storage.write(url, ByteBuffer.wrap(table.getBytes(UTF_8)));
    try (Source source = open(storage, url.toString(), ListColumns.DEFAULT)) {
      assertThatThrownBy(() -> source.list(file -> {}))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("a.csv after line 1: not CSV: ");
    }
  }

  @Test
  void filesOfALocalListAreTakenForRemote() {
    assertThat(OpenSources.isLocal(StorageUrl.parse("/d/folder"))).isTrue();
    assertThat(OpenSources.isLocal(StorageUrl.parse("/d/a.tar.gz"))).isTrue();
    assertThat(OpenSources.isLocal(StorageUrl.parse("/d/a.csv"))).isFalse();
    assertThat(OpenSources.isLocal(StorageUrl.parse("s3://bucket/d"))).isFalse();
  }
}
