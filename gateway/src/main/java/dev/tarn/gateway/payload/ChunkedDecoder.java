package dev.tarn.gateway.payload;

import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Decodes a body in aws-chunked framing. A line with its size and possibly its signature precedes
 * each chunk. A chunk of size zero ends the body; trailers may follow.
 */
final class ChunkedDecoder implements PayloadDecoder {
  private enum State {
    HEADER,
    DATA,
    DATA_END,
    TRAILERS
  }

  private final long length;
  private final Trailers trailers;
  private final ChunkVerifier verifier;
  private final LineBuffer line = new LineBuffer();
  private State state = State.HEADER;
  private ChunkHeader chunk = new ChunkHeader(0, "");
  private long chunkLeft;
  private long received;

  ChunkedDecoder(long length, Trailers trailers, ChunkVerifier verifier) {
    this.length = length;
    this.trailers = trailers;
    this.verifier = verifier;
  }

  @Override
  public long decodedLength() {
    return length;
  }

  @Override
  public void feed(ByteBuffer piece, Consumer<ByteBuffer> out) {
    while (piece.hasRemaining()) {
      if (state == State.DATA) {
        takeData(piece, out);
      } else if (line.take(piece)) {
        takeLine(line.line());
      }
    }
  }

  private void takeLine(String text) {
    switch (state) {
      case HEADER -> beginChunk(ChunkHeader.parse(text));
      case DATA_END -> {
        if (!text.equals("\r")) {
          throw S3Exception.of(
              S3ErrorCode.INVALID_REQUEST,
              "A chunk of " + chunk.size() + " bytes is not followed by a line end.");
        }
        state = State.HEADER;
      }
      case TRAILERS -> trailers.add(text);
      case DATA -> throw new IllegalStateException("data is not made of lines");
    }
  }

  private void beginChunk(ChunkHeader header) {
    chunk = header;
    chunkLeft = header.size();
    if (header.size() > length - received) {
      throw IncompleteBodies.ofLength(length, received + header.size());
    }
    state = State.DATA;
    if (header.size() == 0) {
      verifier.endChunk(header.signatureHex());
      if (received != length) {
        throw IncompleteBodies.ofLength(length, received);
      }
      state = State.TRAILERS;
    }
  }

  private void takeData(ByteBuffer piece, Consumer<ByteBuffer> out) {
    int count = (int) Math.min(chunkLeft, piece.remaining());
    ByteBuffer data = piece.slice(piece.position(), count);
    piece.position(piece.position() + count);
    verifier.update(data);
    chunkLeft -= count;
    received += count;
    if (chunkLeft == 0) {
      verifier.endChunk(chunk.signatureHex());
      state = State.DATA_END;
    }
    out.accept(data);
  }

  @Override
  public void end() {
    if (state != State.TRAILERS || !line.isEmpty() || trailers.isCut()) {
      throw IncompleteBodies.withoutFinalChunk(received);
    }
    trailers.end(verifier);
  }

  @Override
  public DeclaredDigests declaredDigests() {
    return trailers.declared();
  }
}
