package dev.tarn.client.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the bytes are: a value or a {@link DecodeException}, and memory that fits the bytes. */
class GarbageTest {
  private static final String[] FILES = {
    "tree.json",
    "tree.cbor",
    "tree.mp",
    "steps-le-f4.npy",
    "two.npz",
    "orange.png",
    "orange.jpg",
    "orange.gif",
    "orange.bmp",
    "orange.tif"
  };

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
      EncodedMember whole = Members.ofFile(name);
      byte[] bytes = Members.file(name);
      for (int length = 0; length < Math.min(bytes.length, ROUNDS); length++) {
        decode(Members.of(whole.extension(), Arrays.copyOf(bytes, length)));
      }
    }
  }

  @Test
  void changedBytesAreAValueOrAnError() {
    Random random = new Random(7);
    for (String name : FILES) {
      EncodedMember whole = Members.ofFile(name);
      for (int round = 0; round < ROUNDS; round++) {
        byte[] bytes = Members.file(name);
        int changes = 1 + random.nextInt(4);
        for (int i = 0; i < changes; i++) {
          bytes[random.nextInt(Math.min(bytes.length, 512))] = (byte) random.nextInt();
        }
        decode(Members.of(whole.extension(), bytes));
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
