package dev.tarn.gateway.payload;

import dev.tarn.gateway.auth.PayloadPlan;
import java.util.List;

class UnsignedChunksFuzz extends ChunkedBodyFuzz {
  UnsignedChunksFuzz() {
    super(
        List.of(
            Body.of(
                "hello world",
                "b\r\nhello world\r\n0\r\n" + CRC32 + ":DUoRhQ==\r\n\r\n",
                new PayloadPlan.UnsignedChunks(),
                CRC32),
            Body.of(
                "hello\r\n0\r\n!",
                "5\r\nhello\r\n6\r\n\r\n0\r\n!\r\n0\r\n\r\n",
                new PayloadPlan.UnsignedChunks()),
            Body.of("", "0\r\n\r\n\r\n", new PayloadPlan.UnsignedChunks())),
        false);
  }
}
