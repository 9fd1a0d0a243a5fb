package dev.tarn.client.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the bytes are: a value or a {@link DecodeException}, and memory that fits the bytes. */
class GarbageTest {
  private static final String[] FILES = {
    "tree.json",
    "tree.cbor",
    "tree.mp",
    "steps-le-f4.npy",
    "two.npz",
    "four.ten",
    "orange.png",
    "orange.jpg",
    "orange.gif",
    "orange.bmp",
    "orange.tif",
    "page.tif",
    "blank.bmp",
    "inks.cmyk.jpg",
    "inks.ycck.jpg"
  };

  private static final String[] TEXTS = {"txt", "cls", "json", "jsn"};

  private static final int ROUNDS = 300;

  /** Beside what the input takes: a decoder's own buffers. */
  private static final long OWN_BYTES_MAX = 8 << 20;

  private final Decoders decoders = Decoders.standard();

  private void decode(EncodedMember member) {
    try {
      decoders.decode(member);
    } catch (DecodeException e) {
      assertThat(e).hasMessageContaining("sample a/b of s3://data/shard-000000.tar");
    }
  }

  private static long allocatedBytes() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }

  @Test
  void everyBeginningOfAFileIsAValueOrAnError() {
    for (String name : FILES) {
      byte[] bytes = Members.file(name);
      for (int length = 0; length < Math.min(bytes.length, ROUNDS); length++) {
        decode(member(name, Arrays.copyOf(bytes, length)));
      }
    }
  }

  /** What an image may take by its claim alone, as the reader holds it and as it is given out. */
  private static final long CLAIMED_BYTES_MAX = 3L * (64 << 20);

  private static EncodedMember member(String name, byte[] bytes) {
    return Members.of(name.substring(name.lastIndexOf('.') + 1), bytes);
  }

  @ParameterizedTest
  @FieldSource("FILES")
  void changedFilesAreAValueOrAnErrorInBoundedMemory(String name) {
    Random random = new Random(name.hashCode());
    decode(member(name, Members.file(name)));
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = changed(Members.file(name), random);
      long before = allocatedBytes();
      decode(member(name, bytes));
      assertThat(allocatedBytes() - before)
          .as("round %d", round)
          .isLessThan(CLAIMED_BYTES_MAX + 64L * bytes.length + OWN_BYTES_MAX);
    }
  }

  /** Bytes are other ones, left out, or there twice; more often where the head is. */
  private static byte[] changed(byte[] bytes, Random random) {
    byte[] changed = bytes;
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes && changed.length > 0; i++) {
      int at =
          random.nextInt(random.nextBoolean() ? Math.min(changed.length, 512) : changed.length);
      int count = random.nextInt(Math.min(16, changed.length - at) + 1);
      switch (random.nextInt(6)) {
        case 0 -> changed = splice(changed, at, at + count, 0);
        case 1 -> changed = splice(changed, at, at, count);
        case 2 -> Arrays.fill(changed, at, at + count, (byte) 0xff);
        default -> changed[at] = (byte) random.nextInt();
      }
    }
    return changed;
  }

  /** Leaves out the bytes between two offsets, and repeats so many of those that follow. */
  private static byte[] splice(byte[] bytes, int from, int to, int repeated) {
    ByteArrayOutputStream spliced = new ByteArrayOutputStream();
    spliced.write(bytes, 0, from);
    spliced.write(bytes, to, repeated);
    spliced.write(bytes, to, bytes.length - to);
    return spliced.toByteArray();
  }

  @Test
  void noiseIsAValueOrAnErrorForEveryDecoder() {
    Random random = new Random(11);
    for (int round = 0; round < ROUNDS; round++) {
      byte[] noise = new byte[random.nextInt(200)];
      random.nextBytes(noise);
      for (String name : FILES) {
        decode(member(name, noise));
        decode(Members.of(name.substring(name.lastIndexOf('.') + 1) + ".gz", noise));
      }
      for (String extension : TEXTS) {
        decode(Members.of(extension, noise));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "mp,dd7fffffff",
    "mp,df7fffffff",
    "mp,dbffffffff",
    "mp,c6ffffffff",
    "mp,c9ffffffff01",
    "cbor,9b00000000ffffffff",
    "cbor,bb00000000ffffffff",
    "cbor,5b000000007fffffff",
    "cbor,7b000000007fffffff",
    "cbor,7a7fffffff61",
    "cbor,c25b000000007fffffff"
  })
  void declaredLengthTakesNoMemoryThatTheBytesDoNotFill(String extension, String hex) {
    EncodedMember member = Members.of(extension, HexFormat.of().parseHex(hex));
    decode(member);
    long before = allocatedBytes();
    assertThatThrownBy(() -> decoders.decode(member)).isInstanceOf(DecodeException.class);
    assertThat(allocatedBytes() - before).isLessThan(OWN_BYTES_MAX);
  }

  @Test
  void listsThatEachClaimAllThatIsLeftTakeNoMemoryForIt() {
    byte[] bytes = new byte[1 << 20];
    for (int i = 0; i + 5 <= 400 * 5; i += 5) {
      bytes[i] = (byte) 0xdd;
      bytes[i + 2] = 0x0e;
    }
    long before = allocatedBytes();
    decode(Members.of("mp", bytes));
    assertThat(allocatedBytes() - before).isLessThan(64L * bytes.length + OWN_BYTES_MAX);
  }

  @ParameterizedTest
  @ValueSource(strings = {"json,[", "mp,\u0091", "cbor,\u0081"})
  void whatNestsWithoutEndIsRefused(String unit) {
    String extension = unit.substring(0, unit.indexOf(','));
    byte[] bytes = new byte[1_000_000];
    Arrays.fill(bytes, (byte) unit.charAt(unit.length() - 1));
    assertThatThrownBy(() -> decoders.decode(Members.of(extension, bytes)))
        .isInstanceOf(DecodeException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "json,'1 2'",
    "json,'{\"a\":1'",
    "json,''",
    "json,'[1,]'",
    "mp,''",
    "mp,'\u0001\u0001'"
  })
  void whatIsNotOneWholeValueIsRefused(String extension, String text) {
    assertThatThrownBy(() -> decoders.decode(Members.of(extension, text)))
        .isInstanceOf(DecodeException.class);
  }
}
