package dev.tarn.client.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import dev.tarn.client.decode.NpyArray;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Converts arrays of npy members to arrays of an engine. */
public final class NumpyArrays {
  private NumpyArrays() {}

  /**
   * Makes a copy of an array, with its shape, by rows, and with its type if engines have it.
   *
   * @throws IllegalArgumentException if its numbers are unsigned and longer than a byte
   */
  public static NDArray create(NDManager manager, NpyArray array) {
    long[] shape = array.shape();
    if (!array.isFortranOrder() || shape.length < 2) {
      return create(manager, array, new Shape(shape));
    }
    long[] reversed = new long[shape.length];
    for (int i = 0; i < shape.length; i++) {
      reversed[i] = shape[shape.length - 1 - i];
    }
    try (NDArray columns = create(manager, array, new Shape(reversed))) {
      return columns.transpose().duplicate();
    }
  }

  private static NDArray create(NDManager manager, NpyArray array, Shape shape) {
    return switch (array.type()) {
      case BOOL -> manager.create(nativeBytes(array), shape, DataType.BOOLEAN);
      case UINT8 -> manager.create(nativeBytes(array), shape, DataType.UINT8);
      case INT8 -> manager.create(nativeBytes(array), shape, DataType.INT8);
      case INT16, INT32 -> manager.create(array.toInts(), shape);
      case INT64 -> manager.create(array.toLongs(), shape);
      case FLOAT16, FLOAT32 -> manager.create(array.toFloats(), shape);
      case FLOAT64 -> manager.create(array.toDoubles(), shape);
      default ->
          throw new IllegalArgumentException(
              "%s: engines have no such type: take getLong or toFloats".formatted(array));
    };
  }

  private static ByteBuffer nativeBytes(NpyArray array) {
    ByteBuffer bytes = array.data();
    return ByteBuffer.allocateDirect(bytes.remaining())
        .order(ByteOrder.nativeOrder())
        .put(bytes)
        .rewind();
  }
}
