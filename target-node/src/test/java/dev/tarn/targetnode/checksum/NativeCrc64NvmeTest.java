package dev.tarn.targetnode.checksum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.checksum.Crc64Nvme;
import dev.tarn.cluster.checksum.Crc64NvmeProvider;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.zip.Checksum;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

class NativeCrc64NvmeTest {
  @Test
  @EnabledIf("isSupported")
  void serverComputesByTheNativeLibrary() {
    assertThat(Crc64NvmeProvider.fastest()).isInstanceOf(NativeCrc64Nvme.class);
  }

  @Test
  void valueIsThatOfTheTableWhateverTheKindOfBuffer() {
    Random random = new Random(4);
    for (int length = 0; length < 200_000; length = length * 2 + random.nextInt(3)) {
      byte[] bytes = new byte[length + 5];
      random.nextBytes(bytes);
      ByteBuffer heap = ByteBuffer.wrap(bytes, 3, length).slice();
      ByteBuffer direct = ByteBuffer.allocateDirect(length).put(heap.duplicate()).flip();
      Checksum table = new Crc64Nvme();
      table.update(bytes, 3, length);

      assertThat(value(heap)).isEqualTo(table.getValue());
      assertThat(value(direct.duplicate())).isEqualTo(table.getValue());
      assertThat(value(direct.asReadOnlyBuffer())).isEqualTo(table.getValue());
    }
  }

  @Test
  void singleBytesAndASecondRunAreCounted() {
    Checksum checksum = Crc64NvmeProvider.fastest().start();
    for (int run = 0; run < 2; run++) {
      checksum.reset();
      for (byte digit = '1'; digit <= '9'; digit++) {
        checksum.update(digit);
      }
      assertThat(checksum.getValue()).isEqualTo(0xAE8B14860A799888L);
    }
  }

  private static long value(ByteBuffer bytes) {
    Checksum checksum = Crc64NvmeProvider.fastest().start();
    checksum.update(bytes);
    assertThat(bytes.hasRemaining()).isFalse();
    return checksum.getValue();
  }

  static boolean isSupported() {
    return System.getProperty("os.name").equals("Linux")
        && System.getProperty("os.arch").equals("amd64");
  }
}
