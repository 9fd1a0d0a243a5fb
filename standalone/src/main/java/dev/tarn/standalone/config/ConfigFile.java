package dev.tarn.standalone.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads a YAML file into settings. The origin of each setting is its file and line. */
public final class ConfigFile {
  private static final long SIZE_MAX = 1024 * 1024;
  private static final int DEPTH_MAX = 16;

  private final Path file;
  private final JsonParser parser;
  private final Map<String, Setting> settings = new LinkedHashMap<>();

  private ConfigFile(Path file, JsonParser parser) {
    this.file = file;
    this.parser = parser;
  }

  /**
   * Reads the settings in the file.
   *
   * @throws ConfigException if the file cannot be read, is larger than 1 MiB, is not one YAML
   *     document of keys and values, or is nested deeper than 16 levels
   */
  public static Settings read(Path file) throws ConfigException {
    if (Files.isDirectory(file)) {
      throw problem(file + " is a directory; the configuration must be a file in YAML");
    }
    try {
      if (Files.size(file) > SIZE_MAX) {
        throw problem(file + " has " + Files.size(file) + " bytes, at most " + SIZE_MAX);
      }
      YAMLFactory yaml =
          YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
      try (JsonParser parser = yaml.createParser(Files.readString(file))) {
        return new ConfigFile(file, parser).document();
      }
    } catch (NoSuchFileException e) {
      throw problem("there is no configuration file " + file);
    } catch (CharacterCodingException e) {
      throw problem(file + " is no text in UTF-8; the configuration must be a file in YAML");
    } catch (JsonProcessingException e) {
      throw problem(at(file, e.getLocation()) + " is not YAML: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw problem("reading " + file + " failed: " + e.getMessage());
    }
  }

  private Settings document() throws IOException, ConfigException {
    JsonToken token = parser.nextToken();
    if (token == JsonToken.START_OBJECT) {
      mapping("", 1);
    } else if (token != null && token != JsonToken.VALUE_NULL) {
      throw problem(file + " must hold keys and values, such as 'data: /var/lib/tarn'");
    }
    if (parser.nextToken() != null) {
      throw problem(origin() + " begins a second document; a configuration file holds one");
    }
    return Settings.of(settings);
  }

  private void mapping(String prefix, int depth) throws IOException, ConfigException {
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      value(prefix.isEmpty() ? name : prefix + "." + name, depth);
    }
  }

  private void sequence(String key, int depth) throws IOException, ConfigException {
    int index = 0;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      value(key + "[" + index + "]", depth);
      index++;
    }
    if (index == 0) {
      settings.put(key, new Setting("", origin()));
    }
  }

  private void value(String key, int depth) throws IOException, ConfigException {
    if (depth > DEPTH_MAX) {
      throw problem(origin() + " is nested deeper than " + DEPTH_MAX + " levels");
    }
    switch (parser.currentToken()) {
      case START_OBJECT -> mapping(key, depth + 1);
      case START_ARRAY -> sequence(key, depth + 1);
      case VALUE_NULL -> settings.put(key, new Setting("", origin()));
      default -> settings.put(key, new Setting(parser.getText(), origin()));
    }
  }

  private String origin() {
    return at(file, parser.currentTokenLocation());
  }

  private static String at(Path file, JsonLocation location) {
    return file + ":" + location.getLineNr();
  }

  private static ConfigException problem(String text) {
    return new ConfigException(List.of(text));
  }
}
