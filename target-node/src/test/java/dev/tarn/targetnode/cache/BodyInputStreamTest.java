package dev.tarn.targetnode.cache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.tarn.cluster.checksum.BodyDigests;
import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;

class BodyInputStreamTest {
  private static final String MD5_OF_ABC = "900150983cd24fb0d6963f7d28e17f72";
  private final ByteArrayOutputStream copied = new ByteArrayOutputStream();

  @Test
  void allBytesPassAndAreCopied() throws IOException {
    InputStream stream = stream(new Chunks(3, MD5_OF_ABC, "a", "b", "c"));

    assertThat(stream.readAllBytes()).isEqualTo("abc".getBytes(UTF_8));
    assertThat(copied.toString(UTF_8)).isEqualTo("abc");
  }

  @Test
  void anEmptyBodyEndsAtOnce() throws IOException {
    assertThat(stream(new Chunks(0, "d41d8cd98f00b204e9800998ecf8427e")).readAllBytes()).isEmpty();
  }

  @Test
  void aWrongDigestFailsBeforeTheLastChunk() throws IOException {
    BodyInputStream stream = stream(new Chunks(3, "0".repeat(32), "a", "b", "c"));

    assertThat(stream.readNBytes(2)).isEqualTo("ab".getBytes(UTF_8));
    assertThatIOException().isThrownBy(stream::read);
    assertThat(stream.refusal()).containsInstanceOf(Failure.BadDigest.class);
  }

  @Test
  void aBodyShorterThanDeclaredFailsBeforeTheLastChunk() throws IOException {
    BodyInputStream stream = stream(new Chunks(4, MD5_OF_ABC, "a", "b", "c"));

    assertThat(stream.readNBytes(2)).isEqualTo("ab".getBytes(UTF_8));
    assertThatIOException().isThrownBy(stream::read).withMessageContaining("3 bytes");
  }

  @Test
  void aSenderThatGoesAwayIsAnIncompleteBody() {
    BodyInputStream stream = stream(new Chunks(3, MD5_OF_ABC, "a", "b").brokenAtItsEnd());

    assertThatIOException().isThrownBy(stream::readAllBytes);
    assertThat(stream.refusal()).containsInstanceOf(Failure.IncompleteBody.class);
  }

  @Test
  void noMoreIsRequestedThanIsRead() throws IOException {
    String[] many = new String[100];
    java.util.Arrays.fill(many, "x");
    Chunks chunks = new Chunks(100, "", many);
    InputStream stream = stream(chunks);
    assertThat(stream.read()).isEqualTo('x');

    assertThat(chunks.left.size()).isGreaterThan(90);
  }

  private BodyInputStream stream(Chunks chunks) {
    return new BodyInputStream(
        chunks,
        new BodyDigests(true, Set.of()),
        chunk -> copied.write(chunk.array(), chunk.arrayOffset(), chunk.remaining()));
  }

  /** A body of these chunks, published as they are requested. */
  private static final class Chunks implements IncomingBody, Flow.Subscription {
    private final long length;
    private final String md5Hex;
    private final Deque<String> left;
    private boolean broken;
    private boolean done;
    private Flow.@org.jspecify.annotations.Nullable Subscriber<? super ByteBuffer> subscriber;

    Chunks(long length, String md5Hex, String... chunks) {
      this.length = length;
      this.md5Hex = md5Hex;
      this.left = new ArrayDeque<>(List.of(chunks));
    }

    Chunks brokenAtItsEnd() {
      broken = true;
      return this;
    }

    @Override
    public long length() {
      return length;
    }

    @Override
    public Flow.Publisher<ByteBuffer> bytes() {
      return given -> {
        subscriber = given;
        given.onSubscribe(this);
      };
    }

    @Override
    public DeclaredDigests declaredDigests() {
      return new DeclaredDigests(Optional.of(md5Hex), List.of());
    }

    @Override
    public void request(long count) {
      var to = java.util.Objects.requireNonNull(subscriber, "nobody has subscribed");
      for (long i = 0; i < count && !left.isEmpty(); i++) {
        to.onNext(ByteBuffer.wrap(left.removeFirst().getBytes(UTF_8)));
      }
      if (left.isEmpty() && !done) {
        done = true;
        if (broken) {
          to.onError(new IOException("the sender went away"));
        } else {
          to.onComplete();
        }
      }
    }

    @Override
    public void cancel() {
      left.clear();
    }
  }
}
