package dev.tarn.benchmarks.suite;

import dev.tarn.benchmarks.load.CheckedClient;
import dev.tarn.benchmarks.load.Expectation;
import dev.tarn.benchmarks.load.PayloadHash;
import dev.tarn.benchmarks.load.PreparedRequest;
import dev.tarn.benchmarks.load.Requests;
import dev.tarn.benchmarks.server.TarnServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Fills the bucket that a benchmark reads. */
public final class BenchmarkBucket {
  public static final String NAME = "bench";

  private static final int UPLOAD_CONNECTIONS = 64;
  private static final long BATCH_BYTES_MAX = 64L << 20;
  private static final int BATCH_COUNT_MAX = 20_000;

  private BenchmarkBucket() {}

  public static String path(String key) {
    return "/" + NAME + "/" + key;
  }

  public static Requests signed(InetSocketAddress server) {
    return Requests.signed(server, TarnServer.CREDENTIALS);
  }

  public static void create(InetSocketAddress server) throws IOException {
    ByteBuffer nothing = ByteBuffer.allocateDirect(0);
    PreparedRequest create =
        signed(server).put("/" + NAME, nothing, PayloadHash.SIGNED, Expectation.status(200));
    CheckedClient.sendAll(server, List.of(create), 1);
  }

  /** Uploads in batches. Batches bound the memory and the age of the signatures. */
  public static void upload(InetSocketAddress server, Stream<Corpus.Entry> entries)
      throws IOException {
    List<PreparedRequest> batch = new ArrayList<>();
    long bytes = 0;
    for (Corpus.Entry entry : (Iterable<Corpus.Entry>) entries::iterator) {
      batch.add(put(signed(server), entry));
      bytes += entry.content().remaining();
      if (bytes >= BATCH_BYTES_MAX || batch.size() >= BATCH_COUNT_MAX) {
        CheckedClient.sendAll(server, batch, Math.min(UPLOAD_CONNECTIONS, batch.size()));
        batch.clear();
        bytes = 0;
      }
    }
    if (!batch.isEmpty()) {
      CheckedClient.sendAll(server, batch, Math.min(UPLOAD_CONNECTIONS, batch.size()));
    }
  }

  public static PreparedRequest put(Requests requests, Corpus.Entry entry) {
    return requests.put(
        path(entry.path()), entry.content(), PayloadHash.SIGNED, Expectation.status(200));
  }
}
