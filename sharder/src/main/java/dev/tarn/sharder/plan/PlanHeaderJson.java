package dev.tarn.sharder.plan;

import dev.tarn.shard.json.JsonObject;
import dev.tarn.shard.json.JsonText;
import dev.tarn.shard.manifest.Sha256;
import dev.tarn.sharder.plan.option.PlanOptionTexts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** A plan's header as ASCII JSON with a fixed order of fields. */
final class PlanHeaderJson {
  private static final String ENCODER = "encoder";
  private static final String DESTINATION = "destination";
  private static final String BASE = "base";
  private static final String SOURCES = "sources";
  private static final String OPTIONS = "options";
  private static final String HIDDEN = "hidden";
  private static final String OUTSIDE = "outside";
  private static final String LEFT_OUT = "left_out";
  private static final String MISSING = "missing";
  private static final String UPPER_CASE = "upper_case";
  private static final String PRESENT = "present";
  private static final String SKIPPED = "skipped";
  private static final String CLASSES = "classes";

  /** Suffix of the field that has a few examples of what another field counts. */
  private static final String FIRST = "_first";

  private static final String SAMPLES = "samples";
  private static final String MEMBERS = "members";
  private static final String FILE_BYTES = "file_bytes";
  private static final String LARGEST_SAMPLE = "largest_sample";

  private PlanHeaderJson() {}

  static byte[] write(PlanHeader header) {
    PlanningFindings findings = header.findings();
    Map<String, Object> fields =
        JsonText.fields(ENCODER, header.encoder(), DESTINATION, header.destination());
    header.base().ifPresent(base -> fields.put(BASE, base.hex()));
    fields.put(SOURCES, header.sources());
    fields.put(OPTIONS, header.options().texts());
    put(fields, HIDDEN, findings.hidden());
    put(fields, OUTSIDE, findings.outside());
    put(fields, LEFT_OUT, findings.leftOut());
    put(fields, MISSING, findings.missing());
    put(fields, UPPER_CASE, findings.upperCase());
    fields.put(PRESENT, findings.present());
    fields.put(SKIPPED, findings.skipped());
    fields.put(CLASSES, header.classes());
    fields.put(SAMPLES, header.samples());
    fields.put(MEMBERS, header.members());
    fields.put(FILE_BYTES, header.fileBytes());
    fields.put(LARGEST_SAMPLE, header.largestSample());
    return JsonText.of(fields).getBytes(StandardCharsets.US_ASCII);
  }

  private static void put(Map<String, Object> fields, String name, Tally tally) {
    fields.put(name, tally.count());
    fields.put(name + FIRST, tally.first());
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @param plan its name in messages
   * @throws IOException if it is not JSON, or a field is missing or has another type
   * @throws IllegalArgumentException if an option is invalid
   */
  static PlanHeader read(String plan, byte[] bytes) throws IOException {
    JsonObject json = JsonObject.parse(plan, "header of the plan", bytes);
    return new PlanHeader(
        json.text(ENCODER),
        json.text(DESTINATION),
        json.optionalText(BASE).map(Sha256::new),
        json.texts(SOURCES),
        PlanOptionTexts.parse(json.object(OPTIONS).texts()),
        new PlanningFindings(
            tally(json, HIDDEN),
            tally(json, OUTSIDE),
            tally(json, LEFT_OUT),
            tally(json, MISSING),
            tally(json, UPPER_CASE),
            json.number(PRESENT),
            json.number(SKIPPED)),
        json.texts(CLASSES),
        json.number(SAMPLES),
        json.number(MEMBERS),
        json.number(FILE_BYTES),
        json.number(LARGEST_SAMPLE));
  }

  private static Tally tally(JsonObject json, String name) throws IOException {
    return new Tally(json.number(name), json.texts(name + FIRST));
  }
}
