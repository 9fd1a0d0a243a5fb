package dev.tarn.client.decode;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NpyArrayTest {
  private static NpyArray array(String file) {
    return Decoders.standard().decode(Members.ofFile(file + ".npy"), NpyArray.class);
  }

  private static EncodedMember npy(String header, int dataBytes) {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0});
    file.write(header.length());
    file.write(header.length() >> 8);
    file.writeBytes(header.getBytes(ISO_8859_1));
    file.writeBytes(new byte[dataBytes]);
    return Members.of("npy", file.toByteArray());
  }

  @ParameterizedTest
  @CsvSource({
    "i1,INT8",
    "u1,UINT8",
    "le-i2,INT16",
    "be-i2,INT16",
    "le-u2,UINT16",
    "le-i4,INT32",
    "be-i4,INT32",
    "le-u4,UINT32",
    "le-i8,INT64",
    "be-i8,INT64",
    "le-u8,UINT64"
  })
  void wholeNumbersOfEveryTypeAndByteOrder(String code, NpyType type) {
    NpyArray array = array("steps-" + code);
    assertThat(array.type()).isEqualTo(type);
    assertThat(array.shape()).containsExactly(2, 3);
    assertThat(array.isFortranOrder()).isFalse();
    assertThat(array.toInts()).containsExactly(0, 1, 2, 3, 100, 127);
    assertThat(array.toLongs()).containsExactly(0, 1, 2, 3, 100, 127);
    assertThat(array.toFloats()).containsExactly(0, 1, 2, 3, 100, 127);
  }

  @ParameterizedTest
  @CsvSource({
    "le-f2,FLOAT16",
    "be-f2,FLOAT16",
    "le-f4,FLOAT32",
    "be-f4,FLOAT32",
    "le-f8,FLOAT64",
    "be-f8,FLOAT64"
  })
  void fractionsOfEveryTypeAndByteOrder(String code, NpyType type) {
    NpyArray array = array("steps-" + code);
    assertThat(array.type()).isEqualTo(type);
    assertThat(array.toFloats()).containsExactly(0, 1, 2, 3, 100, 127);
    assertThat(array.toDoubles()).containsExactly(0, 1, 2, 3, 100, 127);
    assertThatThrownBy(array::toLongs).hasMessageContaining("have fractions");
  }

  @Test
  void halfPrecisionHasInfinityNoNumberAndTheSmallest() {
    assertThat(array("vector").toFloats())
        .containsExactly(-1.5f, Float.POSITIVE_INFINITY, Float.NaN, 0x1p-24f, -65504f);
  }

  @Test
  void shapesOfEveryKind() {
    assertThat(array("scalar").shape()).isEmpty();
    assertThat(array("scalar").getDouble(0)).isEqualTo(2.5);
    assertThat(array("empty").shape()).containsExactly(3, 0, 2);
    assertThat(array("empty").length()).isZero();
    assertThat(array("columns").isFortranOrder()).isTrue();
    assertThat(array("columns").toInts()).containsExactly(0, 3, 1, 100, 2, 127);
    assertThat(array("booleans").toBytes()).containsExactly(1, 0, 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"version2", "version3"})
  void laterVersionsOfTheFormat(String file) {
    assertThat(array(file).toInts()).containsExactly(0, 1, 2, 3, 100, 127);
  }

  @Test
  void numberThatDoesNotFitIsAnError() {
    NpyArray array = array("unsigned");
    assertThat(array.getDouble(0)).isEqualTo(0x1p64);
    assertThatThrownBy(() -> array.getLong(0))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("18446744073709551615");
    assertThatThrownBy(() -> array.getLong(1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void severalArraysInOneFile() {
    Map<?, ?> arrays = Decoders.standard().decode(Members.ofFile("two.npz"), Map.class);
    assertThat(arrays.keySet()).hasToString("[steps, more]");
    assertThat(arrays.get("more"))
        .isInstanceOfSatisfying(
            NpyArray.class, more -> assertThat(more.toDoubles()).containsExactly(0.5));
    Decoders little = Decoders.builder().decompressedBytesMax(100).build();
    assertThatThrownBy(() -> little.decode(Members.ofFile("two.npz")))
        .hasMessageContaining("more than the 100 bytes allowed");
  }

  @Test
  void arraysOfTenbinComeInTheirOrder() {
    List<?> arrays = Decoders.standard().decode(Members.ofFile("four.ten"), List.class);
    assertThat(arrays)
        .hasToString(
            "[NpyArray[[2, 3] of FLOAT32], NpyArray[[] of INT64], NpyArray[[0, 3] of UINT8],"
                + " NpyArray[[70] of UINT16]]");
    assertThat(((NpyArray) arrays.get(0)).toFloats()).containsExactly(0, 1, 2, 3, 100, 127);
    assertThat(((NpyArray) arrays.get(1)).getLong(0)).isEqualTo(7);
    assertThat(((NpyArray) arrays.get(3)).getLong(69)).isEqualTo(69);
  }

  @ParameterizedTest
  @ValueSource(strings = {"two.npz", "four.ten"})
  void fileThatIsCutAnywhereOrFollowedByOtherBytesIsRefused(String name) {
    byte[] whole = Members.file(name);
    String extension = name.substring(name.indexOf('.') + 1);
    for (int length = 1; length < whole.length; length++) {
      // What ends behind an array is a whole file of fewer arrays.
      boolean isShorter = extension.equals("ten") && List.of(160, 320, 416).contains(length);
      EncodedMember cut = Members.of(extension, Arrays.copyOf(whole, length));
      if (!isShorter) {
        assertThatThrownBy(() -> Decoders.standard().decode(cut))
            .as("%d bytes", length)
            .isInstanceOf(DecodeException.class);
      }
    }
    EncodedMember longer = Members.of(extension, Arrays.copyOf(whole, whole.length + 1));
    assertThatThrownBy(() -> Decoders.standard().decode(longer))
        .isInstanceOf(DecodeException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "objects,'Python objects: it holds a pickle, which is never decoded'",
    "records,'an array of records'",
    "words,'elements of type <U2'"
  })
  void arraysOfWhatIsNoNumberAreRefusedByName(String file, String message) {
    assertThatThrownBy(() -> array(file))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-4,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, , 2)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2 2,)}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (4,)}",
        "{'descr': '<f4', 'shape': (4,)}",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (4,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), 'more': 'x'}",
        "{'descr': 'f4', 'fortran_order': False, 'shape': (4,)}",
        "{'descr': '|f4', 'fortran_order': False, 'shape': (4,)}",
        "{'descr': __import__('os'), 'fortran_order': False, 'shape': (4,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (999999999999999999,"
            + " 999999999999999999,)}"
      })
  void headerThatNumPyWouldNotWriteIsRefused(String header) {
    assertThatThrownBy(() -> Decoders.standard().decode(npy(header, 16)))
        .isInstanceOf(DecodeException.class);
  }

  @Test
  void headerOfEndlessDimensionsIsRefused() {
    String header =
        "{'descr': '<f4', 'fortran_order': False, 'shape': (" + "1,".repeat(4000) + ")}";
    assertThatThrownBy(() -> Decoders.standard().decode(npy(header, 4)))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("not a tuple of lengths");
  }
}
