package dev.tarn.gateway.admin;

import static java.util.Objects.requireNonNull;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;

/** The scrubber: starts a round and shows its report. */
record ScrubResource(Scrubbing scrubbing) {
  ScrubResource {
    requireNonNull(scrubbing, "scrubbing is null");
  }

  AdminAnswer start(AdminCall call) {
    scrubbing.start();
    return report(call);
  }

  AdminAnswer report(AdminCall call) {
    return AdminAnswer.ok(
        scrubbing
            .report()
            .map(ScrubResource::document)
            .orElse(new JsonObject().put("state", "none")));
  }

  private static JsonObject document(Scrubbing.Report report) {
    String end = report.unchecked().isEmpty() ? "done" : "incomplete";
    return new JsonObject()
        .put("state", report.running() ? "running" : end)
        .put("started", Instant.ofEpochMilli(report.startedMs()).toString())
        .put("objects", report.objects())
        .put("bytes", report.bytes())
        .put("corrupt_count", report.corruptCount())
        .put("corrupt", new JsonArray(report.corrupt()))
        .put("unchecked", new JsonArray(report.unchecked()));
  }
}
