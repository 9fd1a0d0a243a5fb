package dev.tarn.standalone.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.SettingsSchema;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Holds the schema of the chart's values to the configuration records, so that Helm refuses a
 * misspelt key. Keys that the chart sets itself are false in the schema and stay so.
 */
class ChartSchemaTest {
  private static final Path SCHEMA = Path.of("../helm/tarn/values.schema.json");
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void schemaHasTheKeysOfTheRecords() throws IOException {
    JsonNode generated = JSON.readTree(SCHEMA.toFile());
    ObjectNode definitions = (ObjectNode) generated.path("definitions");
    definitions.set("config", section(TarnConfig.class, definitions.path("config")));
    ObjectNode bucket = (ObjectNode) generated.at("/properties/buckets/items/properties");
    bucket.set("settings", bucketSettings());
    if (Boolean.getBoolean("tarn.docs.write")) {
      Files.writeString(SCHEMA, JSON.writer(printer()).writeValueAsString(generated) + "\n");
    }
    assertThat(JSON.readTree(SCHEMA.toFile()))
        .as("run this test with -Dtarn.docs.write=true after a change of the records")
        .isEqualTo(generated);
  }

  /** The settings of a bucket, as declarations have them. */
  private static ObjectNode bucketSettings() {
    ObjectNode section = JSON.createObjectNode().put("type", "object");
    ObjectNode keys = section.put("additionalProperties", false).putObject("properties");
    for (SettingsSchema.Entry entry : BucketSettings.SCHEMA.entries()) {
      ObjectNode key = keys.putObject(entry.name());
      if (entry.isFlag()) {
        key.put("type", "boolean");
      } else {
        key.put("type", "string").put("pattern", "^(" + entry.pattern() + ")$");
      }
    }
    return section;
  }

  private static ObjectNode section(Class<?> type, JsonNode before) {
    ObjectNode keys = JSON.createObjectNode();
    for (RecordComponent component : type.getRecordComponents()) {
      String key = ComponentName.of(component.getName()).key();
      JsonNode present = before.path("properties").path(key);
      Class<?> item = Keys.itemType(component);
      if (present.isBoolean() && !present.booleanValue()) {
        keys.set(key, present);
      } else if (!Keys.isSection(component)) {
        keys.put(key, true);
      } else if (component.getType() == List.class) {
        ObjectNode list = keys.putObject(key).put("type", "array");
        list.set("items", section(item, present.path("items")));
      } else {
        keys.set(key, section(item, present));
      }
    }
    ObjectNode section = JSON.createObjectNode().put("type", "object");
    section.put("additionalProperties", false).set("properties", keys);
    return section;
  }

  private static DefaultPrettyPrinter printer() {
    return new DefaultPrettyPrinter(
            Separators.createDefaultInstance()
                .withObjectFieldValueSpacing(Separators.Spacing.AFTER))
        .withArrayIndenter(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
  }
}
