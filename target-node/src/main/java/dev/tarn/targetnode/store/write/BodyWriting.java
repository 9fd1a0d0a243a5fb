package dev.tarn.targetnode.store.write;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.memory.Chunks;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Starts a {@link BodyReceiver} for each body, with the resources that all bodies share.
 *
 * @param chunks the memory for all of them
 * @param workers write bytes and compute digests
 */
public record BodyWriting(Chunks chunks, Executor workers) {
  public BodyWriting {
    requireNonNull(chunks, "chunks is null");
    requireNonNull(workers, "workers is null");
  }

  /** Returns memory that no bytes need any more; heap buffers are left to the garbage collector. */
  void giveBack(@Nullable ByteBuffer unused) {
    if (unused != null && unused.isDirect()) {
      chunks.giveBack(unused);
    }
  }

  /**
   * Receives a body; never blocks. The caller must commit a success or abandon its extent.
   *
   * @param algorithms to compute besides the MD5 and the declared ones
   */
  public CompletionStage<Outcome<ReceivedBody>> receive(
      DiskStore store,
      IncomingBody body,
      BodyReceiver.Placing placing,
      Set<ChecksumAlgorithm> algorithms) {
    return BodyReceiver.receive(this, store, body, placing, algorithms);
  }
}
