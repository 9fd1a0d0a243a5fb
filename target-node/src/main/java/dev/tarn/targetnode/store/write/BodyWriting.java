package dev.tarn.targetnode.store.write;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.memory.Chunks;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * What bodies share while they are taken in.
 *
 * @param chunks the memory of all of them together
 * @param workers that write and compute digests
 */
public record BodyWriting(Chunks chunks, Executor workers) {
  public BodyWriting {
    requireNonNull(chunks, "chunks is null");
    requireNonNull(workers, "workers is null");
  }

  /**
   * Takes in a body; never blocks. A success is to be committed, or its extent abandoned.
   *
   * @param algorithms to compute beside the MD5 and those declared
   */
  public CompletionStage<Outcome<ReceivedBody>> receive(
      DiskStore store,
      IncomingBody body,
      BodyReceiver.Placing placing,
      Set<ChecksumAlgorithm> algorithms) {
    return BodyReceiver.receive(this, store, body, placing, algorithms);
  }
}
