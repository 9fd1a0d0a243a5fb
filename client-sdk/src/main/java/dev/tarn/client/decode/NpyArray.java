package dev.tarn.client.decode;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * An array as written by NumPy's {@code save}: elements of one type, in the order of the file.
 *
 * <p>It is a view of the sample's bytes and valid as long as they are; the {@code to} methods make
 * copies that stay valid. Elements are numbered as stored: by rows (the last index runs fastest),
 * or by columns if {@link #isFortranOrder}.
 */
public final class NpyArray {
  private final NpyType type;
  private final long[] shape;
  private final boolean fortranOrder;
  private final int length;
  private final ByteBuffer data;

  /**
   * Makes an array.
   *
   * @param data of the elements, with the length of the shape, in their byte order
   */
  NpyArray(NpyType type, long[] shape, boolean fortranOrder, ByteBuffer data) {
    this.type = type;
    this.shape = shape;
    this.fortranOrder = fortranOrder;
    this.length = data.remaining() / type.bytes();
    this.data = data;
  }

  /** The type of the elements. */
  public NpyType type() {
    return type;
  }

  /** A copy of the lengths by dimension; empty for a single number. */
  public long[] shape() {
    return shape.clone();
  }

  /** Whether the first index runs fastest. */
  public boolean isFortranOrder() {
    return fortranOrder;
  }

  /** The number of elements. */
  public int length() {
    return length;
  }

  /** A view of the elements' bytes, from position 0, in the stored byte order. */
  public ByteBuffer data() {
    return data.slice().order(data.order());
  }

  /**
   * One element, as the nearest floating-point number; booleans are 0 and 1.
   *
   * @param index from 0, in the stored order
   * @throws IndexOutOfBoundsException naming the number of elements
   */
  public double getDouble(int index) {
    int at = offset(index);
    return switch (type) {
      case FLOAT16 -> halfToFloat(data.getShort(at));
      case FLOAT32 -> data.getFloat(at);
      case FLOAT64 -> data.getDouble(at);
      case UINT64 -> unsignedToDouble(data.getLong(at));
      default -> wholeNumber(at);
    };
  }

  /**
   * One element of an integer type; booleans are 0 and 1.
   *
   * @param index from 0, in the stored order
   * @throws IndexOutOfBoundsException naming the number of elements
   * @throws IllegalStateException if the type is a floating-point type
   * @throws ArithmeticException if the element exceeds 63 bits
   */
  public long getLong(int index) {
    requireWholeNumbers();
    long value = wholeNumber(offset(index));
    if (type == NpyType.UINT64 && value < 0) {
      throw new ArithmeticException(
          "element %d is %s, more than 63 bits"
              .formatted(index, new BigInteger(Long.toUnsignedString(value))));
    }
    return value;
  }

  /** All elements, converted as by {@link #getDouble}. */
  public double[] toDoubles() {
    double[] values = new double[length];
    if (type == NpyType.FLOAT64) {
      data().asDoubleBuffer().get(values);
    } else {
      Arrays.setAll(values, this::getDouble);
    }
    return values;
  }

  /** All elements, as the nearest numbers of single precision. */
  public float[] toFloats() {
    float[] values = new float[length];
    if (type == NpyType.FLOAT32) {
      data().asFloatBuffer().get(values);
    } else {
      for (int i = 0; i < length; i++) {
        values[i] = (float) getDouble(i);
      }
    }
    return values;
  }

  /**
   * All elements, converted as by {@link #getLong}.
   *
   * @throws IllegalStateException as for {@link #getLong}
   * @throws ArithmeticException as for {@link #getLong}
   */
  public long[] toLongs() {
    requireWholeNumbers();
    long[] values = new long[length];
    if (type == NpyType.INT64) {
      data().asLongBuffer().get(values);
    } else {
      Arrays.setAll(values, this::getLong);
    }
    return values;
  }

  /**
   * All elements of an integer type.
   *
   * @throws IllegalStateException if the type is a floating-point type
   * @throws ArithmeticException if an element does not fit into an int
   */
  public int[] toInts() {
    requireWholeNumbers();
    int[] values = new int[length];
    if (type == NpyType.INT32) {
      data().asIntBuffer().get(values);
    } else {
      Arrays.setAll(values, index -> Math.toIntExact(getLong(index)));
    }
    return values;
  }

  /**
   * All elements of a type of one byte, as stored.
   *
   * @throws IllegalStateException if the type has more bytes
   */
  public byte[] toBytes() {
    if (type.bytes() != 1) {
      throw new IllegalStateException(
          "elements of %s are not single bytes: call data()".formatted(type));
    }
    byte[] values = new byte[length];
    data().get(values);
    return values;
  }

  private void requireWholeNumbers() {
    if (type.isFloating()) {
      throw new IllegalStateException(
          "elements of %s have fractions: call getDouble, toDoubles or toFloats".formatted(type));
    }
  }

  private int offset(int index) {
    if (index < 0 || index >= length) {
      throw new IndexOutOfBoundsException("element %d of %d".formatted(index, length));
    }
    return data.position() + index * type.bytes();
  }

  private long wholeNumber(int at) {
    return switch (type) {
      case INT8 -> data.get(at);
      case BOOL, UINT8 -> Byte.toUnsignedLong(data.get(at));
      case INT16 -> data.getShort(at);
      case UINT16 -> Short.toUnsignedLong(data.getShort(at));
      case INT32 -> data.getInt(at);
      case UINT32 -> Integer.toUnsignedLong(data.getInt(at));
      default -> data.getLong(at);
    };
  }

  private static double unsignedToDouble(long value) {
    return value >= 0 ? value : new BigInteger(Long.toUnsignedString(value)).doubleValue();
  }

  /** Converts binary16 of IEEE 754: a sign, five bits of exponent, ten of fraction. */
  private static float halfToFloat(short half) {
    int exponent = (half >>> 10) & 0x1f;
    int fraction = half & 0x3ff;
    float magnitude;
    if (exponent == 0x1f) {
      magnitude = fraction == 0 ? Float.POSITIVE_INFINITY : Float.NaN;
    } else if (exponent == 0) {
      magnitude = fraction * 0x1p-24f;
    } else {
      magnitude = Math.scalb(0x400 | fraction, exponent - 25);
    }
    return half < 0 ? -magnitude : magnitude;
  }

  @Override
  public String toString() {
    return "NpyArray[%s of %s]".formatted(Arrays.toString(shape), type);
  }
}
