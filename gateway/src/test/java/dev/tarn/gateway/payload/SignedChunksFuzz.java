package dev.tarn.gateway.payload;

import dev.tarn.gateway.auth.PayloadPlan;
import java.util.List;

class SignedChunksFuzz extends ChunkedBodyFuzz {
  SignedChunksFuzz() {
    super(
        List.of(body(1, "hello", " ", "world"), body(2, "x".repeat(100)), body(3, "a", "b")), true);
  }

  private static Body body(int seed, String... chunks) {
    PayloadPlan.SignedChunks plan = plan(seed, false);
    ChunkSigner signer = new ChunkSigner(plan.chain());
    for (String chunk : chunks) {
      signer.chunk(chunk);
    }
    return Body.of(String.join("", chunks), signer.end(), plan);
  }
}
