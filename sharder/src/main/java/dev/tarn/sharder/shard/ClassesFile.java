package dev.tarn.sharder.shard;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.manifest.FileEntry;
import dev.tarn.shard.manifest.Sha256;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The file that numbers a dataset's classes: a JSON object of names and numbers from 0. */
public final class ClassesFile {
  /** Its name, beside the manifest. */
  public static final String NAME = "classes.json";

  private static final int BYTES_MAX = 256 * 1024 * 1024;

  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private ClassesFile() {}

  /**
   * Returns the name of the file that a later pack of a dataset wrote; the first pack is number 1.
   */
  public static String name(int pack) {
    return "classes-" + pack + ".json";
  }

  /**
   * Reads the classes of a dataset, by number; empty if the dataset has no such file.
   *
   * @throws IOException if the file is missing, or differs from the manifest
   */
  public static List<String> read(Storage storage, StorageUrl dataset, DatasetManifest manifest)
      throws IOException {
    if (manifest.classes().isEmpty()) {
      return List.of();
    }
    FileEntry entry = manifest.classes().orElseThrow();
    StorageUrl url = dataset.child(entry.name());
    byte[] file = storage.readAll(url, BYTES_MAX);
    if (!Sha256.digest(ByteBuffer.wrap(file)).equals(entry.sha256())) {
      throw new IOException(url + ": not the file that the manifest names: its SHA-256 differs");
    }
    return parse(url.toString(), file);
  }

  /** Returns the file's bytes; the same classes always give the same bytes. */
  public static byte[] write(List<String> classes) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      json.setPrettyPrinter(
          new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n")));
      json.writeStartObject();
      for (int number = 0; number < classes.size(); number++) {
        json.writeNumberField(classes.get(number), number);
      }
      json.writeEndObject();
      json.writeRaw('\n');
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory does not fail", e);
    }
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Parses a file: returns the classes in the order of their numbers.
   *
   * @param source its name in messages
   * @throws IOException if it is not a JSON object with the numbers 0, 1, 2, ...
   */
  public static List<String> parse(String source, byte[] bytes) throws IOException {
    List<String> classes = new ArrayList<>();
    try (JsonParser json = FACTORY.createParser(bytes)) {
      boolean valid = json.nextToken() == JsonToken.START_OBJECT;
      while (valid && json.nextToken() == JsonToken.FIELD_NAME) {
        classes.add(json.currentName());
        valid = json.nextLongValue(-1) == classes.size() - 1;
      }
      if (!valid || json.currentToken() != JsonToken.END_OBJECT) {
        throw new IOException(
            source + ": expected an object of classes with the numbers 0, 1, 2 and so on");
      }
    }
    return classes;
  }
}
