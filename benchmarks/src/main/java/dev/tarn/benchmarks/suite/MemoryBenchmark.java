package dev.tarn.benchmarks.suite;

import dev.tarn.benchmarks.load.CheckedClient;
import dev.tarn.benchmarks.load.Expectation;
import dev.tarn.benchmarks.load.PayloadHash;
import dev.tarn.benchmarks.load.PreparedRequest;
import dev.tarn.benchmarks.load.Requests;
import dev.tarn.benchmarks.measure.PeakMemory;
import dev.tarn.benchmarks.report.Cell;
import dev.tarn.benchmarks.report.Goal;
import dev.tarn.benchmarks.server.TarnServer;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The anonymous memory of the server during concurrent transfers of large objects, beside the
 * allowed maximum. Half of the clients upload, half download.
 */
final class MemoryBenchmark implements Benchmark {
  private static final String NAME = "memory";
  private static final int CLIENTS = 64;
  private static final int OBJECT_MIB = 64;
  private static final int MEBIBYTE = 1 << 20;
  private static final int BOUND_MIB = 768;

  @Override
  public void run(Run run) throws IOException {
    Corpus corpus = Corpus.mebibytes(OBJECT_MIB, 1);
    Corpus.Entry object = corpus.entry(0);
    try (TarnServer tarn =
            TarnServer.start(run.home(), Files.createDirectory(run.scratch().resolve("tarn")));
        PeakMemory memory = PeakMemory.of(tarn.pid())) {
      BenchmarkBucket.create(tarn.address());
      BenchmarkBucket.upload(tarn.address(), List.of(object).stream());
      report(run, "idle", memory, Optional.empty());
      for (PayloadHash payloadHash : PayloadHash.values()) {
        for (int round = 0; round < run.effort().rounds(); round++) {
          CheckedClient.sendAll(tarn.address(), transfers(tarn, object, payloadHash), CLIENTS);
        }
      }
      report(
          run,
          CLIENTS + " x " + OBJECT_MIB + "MiB up and down",
          memory,
          Optional.of(new Goal.AtMost(BOUND_MIB)));
    }
  }

  private static List<PreparedRequest> transfers(
      TarnServer tarn, Corpus.Entry object, PayloadHash payloadHash) {
    Requests requests = BenchmarkBucket.signed(tarn.address());
    List<PreparedRequest> transfers = new ArrayList<>(CLIENTS);
    for (int client = 0; client < CLIENTS; client += 2) {
      transfers.add(
          requests.put(
              BenchmarkBucket.path("up-%02d".formatted(client)),
              object.content(),
              payloadHash,
              Expectation.status(200)));
      transfers.add(
          requests.get(
              BenchmarkBucket.path(object.path()),
              Expectation.body(object.content().remaining(), object.crc32c())));
    }
    return transfers;
  }

  private static void report(Run run, String cell, PeakMemory memory, Optional<Goal> goal) {
    double peakMib = (double) memory.peakBytes() / MEBIBYTE;
    run.report().add(new Cell(NAME, cell, peakMib, BOUND_MIB, "MiB anonymous", goal));
  }
}
