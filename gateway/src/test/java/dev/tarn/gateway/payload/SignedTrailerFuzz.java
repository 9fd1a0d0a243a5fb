package dev.tarn.gateway.payload;

import dev.tarn.gateway.auth.PayloadPlan;
import java.util.List;

class SignedTrailerFuzz extends ChunkedBodyFuzz {
  SignedTrailerFuzz() {
    super(List.of(body(1, "hello", " world"), body(2, "hello world")), true);
  }

  private static Body body(int seed, String... chunks) {
    PayloadPlan.SignedChunks plan = plan(seed, true);
    ChunkSigner signer = new ChunkSigner(plan.chain());
    for (String chunk : chunks) {
      signer.chunk(chunk);
    }
    return Body.of(String.join("", chunks), signer.end(CRC32, "DUoRhQ=="), plan, CRC32);
  }
}
