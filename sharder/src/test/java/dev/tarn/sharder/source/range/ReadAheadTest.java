package dev.tarn.sharder.source.range;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ReadAheadTest {
  /** Bytes that are their places, of which readers in order had better get as many as they can. */
  private static final class Counted implements Ranged {
    private static final long SIZE = 1L << 30;

    private final List<Long> lengths = new ArrayList<>();

    @Override
    public long size() {
      return SIZE;
    }

    @Override
    public InputStream open(long offset, long end) {
      lengths.add(end - offset);
      return new InputStream() {
        private long at = offset;

        @Override
        public int read() {
          throw new UnsupportedOperationException("one by one is slow");
        }

        @Override
        public int read(byte[] target, int from, int length) {
          int count = (int) Math.min(length, end - at);
          for (int i = 0; i < count; i++) {
            target[from + i] = (byte) at++;
          }
          return count == 0 && length > 0 ? -1 : count;
        }
      };
    }

    @Override
    public long endAhead(long offset, long usual) {
      return SIZE;
    }
  }

  private static void readInOrder(ReadAhead reads, Counted source, long offset) throws IOException {
    ByteBuffer target = ByteBuffer.allocate(1000);
    assertThat(reads.read(source, offset, target)).isEqualTo(1000);
    assertThat(target.get(999)).isEqualTo((byte) (offset + 999));
  }

  @Test
  void readersOfAFewSourcesInTurnsGoOnWhereEachEnded() throws IOException {
    ReadAhead reads = new ReadAhead();
    List<Counted> sources = IntStream.range(0, 4).mapToObj(i -> new Counted()).toList();
    for (int i = 0; i < 200; i++) {
      for (Counted source : sources) {
        readInOrder(reads, source, i * 1000L);
      }
    }
    assertThat(sources)
        .allSatisfy(source -> assertThat(source.lengths).hasSizeLessThanOrEqualTo(2));
  }

  @Test
  void sourcesThatAreManyAreReadThoughFewPiecesAreKept() throws IOException {
    ReadAhead reads = new ReadAhead();
    List<Counted> sources = IntStream.range(0, 100).mapToObj(i -> new Counted()).toList();
    for (int i = 0; i < 3; i++) {
      for (Counted source : sources) {
        readInOrder(reads, source, i * 1000L);
      }
    }
    assertThat(sources).allSatisfy(source -> assertThat(source.lengths).hasSize(3));
  }

  @Test
  void piecesOfAllThreadsShareOneBudget() throws InterruptedException {
    ReadAhead reads = new ReadAhead();
    List<Counted> sources = IntStream.range(0, 256).mapToObj(i -> new Counted()).toList();
    for (Counted source : sources) {
      Thread reader =
          Thread.ofPlatform()
              .start(() -> {
                try {
                  for (long at = 0; at < 40_000; at += 1000) {
                    readInOrder(reads, source, at);
                  }
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      reader.join();
    }
    assertThat(sources.getFirst().lengths.getLast()).isEqualTo(8 << 20);
    assertThat(sources.getLast().lengths.getLast()).isEqualTo(1 << 20);
  }
}
