package dev.tarn.client.djl;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import dev.tarn.client.decode.Decoders;
import dev.tarn.client.decode.EncodedMember;
import dev.tarn.client.decode.NpyArray;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@EnabledOnOs(value = OS.LINUX, architectures = "amd64", disabledReason = "the natives of the build")
class NumpyArraysTest {
  /** An array of 2 x 3 elements of which the last byte counts up from 1. */
  private static NpyArray array(String type, boolean fortranOrder, int elementBytes) {
    String header =
        "{'descr': '%s', 'fortran_order': %s, 'shape': (2, 3), }"
            .formatted(type, fortranOrder ? "True" : "False");
    ByteBuffer file =
        ByteBuffer.allocate(10 + header.length() + 6 * elementBytes).order(ByteOrder.LITTLE_ENDIAN);
    file.put((byte) 0x93).put("NUMPY".getBytes(ISO_8859_1)).put((byte) 1).put((byte) 0);
    file.putShort((short) header.length()).put(header.getBytes(ISO_8859_1));
    for (int i = 1; i <= 6; i++) {
      switch (type.substring(1)) {
        case "f4" -> file.putFloat(i);
        case "f8" -> file.putDouble(i);
        case "i8" -> file.putLong(i);
        case "i4", "u4" -> file.putInt(i);
        case "i2" -> file.putShort((short) i);
        default -> file.put((byte) i);
      }
    }
    EncodedMember member = new EncodedMember("k", "shard", "npy", file.flip());
    return Decoders.standard().decode(member, NpyArray.class);
  }

  @ParameterizedTest
  @CsvSource({
    "<f4,4,FLOAT32",
    "<f8,8,FLOAT64",
    "<i8,8,INT64",
    "<i4,4,INT32",
    "<i2,2,INT32",
    "|u1,1,UINT8",
    "|i1,1,INT8"
  })
  void arraysKeepShapeTypeAndElements(String type, int bytes, DataType expected) {
    try (NDManager manager = NDManager.newBaseManager()) {
      NDArray array = NumpyArrays.create(manager, array(type, false, bytes));
      assertThat(array.getDataType()).isEqualTo(expected);
      assertThat(array.getShape().getShape()).containsExactly(2, 3);
      assertThat(array.toType(DataType.FLOAT32, true).toFloatArray())
          .containsExactly(1, 2, 3, 4, 5, 6);
    }
  }

  @Test
  void arraysByColumnsComeByRows() {
    try (NDManager manager = NDManager.newBaseManager()) {
      NDArray array = NumpyArrays.create(manager, array("<f4", true, 4));
      assertThat(array.getShape().getShape()).containsExactly(2, 3);
      assertThat(array.toFloatArray()).containsExactly(1, 3, 5, 2, 4, 6);
    }
  }

  @Test
  void typeThatEnginesLackIsNamed() {
    try (NDManager manager = NDManager.newBaseManager()) {
      NpyArray unsigned = array("<u4", false, 4);
      assertThatThrownBy(() -> NumpyArrays.create(manager, unsigned))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("NpyArray[[2, 3] of UINT32]");
    }
  }
}
