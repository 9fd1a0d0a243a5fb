package dev.tarn.cluster.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class CodecTest {
  private enum Colour {
    RED,
    GREEN
  }

  private sealed interface Shape {}

  private record Circle(int radius) implements Shape {
    Circle {
      if (radius < 0) {
        throw new IllegalArgumentException("radius is " + radius);
      }
    }
  }

  private record Point() implements Shape {}

  private record Everything(
      long number,
      long id,
      boolean flag,
      Colour colour,
      Optional<Colour> other,
      List<Colour> colours,
      String text,
      Optional<String> note,
      List<String> texts,
      Map<String, String> map,
      List<Byte> bytes,
      List<Shape> shapes,
      Optional<Shape> shape,
      OptionalLong maybeLong,
      OptionalInt maybeInt) {}

  private static final List<Colour> COLOURS = List.of(Colour.RED, Colour.GREEN);

  private static final Codec<Shape> SHAPE =
      Union.of(
          Shape.class,
          List.of(
              Union.alternative(
                  1,
                  Circle.class,
                  (out, circle) -> out.number(1, circle.radius(), 7),
                  in -> new Circle(in.integer(1, 7))),
              Union.alternative(9, new Point())));

  private static final Codec<Everything> EVERYTHING =
      Codec.of(
          "everything",
          (out, value) ->
              out.number(1, value.number())
                  .bits(2, value.id())
                  .flag(3, value.flag())
                  .constant(4, COLOURS, value.colour())
                  .constant(5, COLOURS, value.other())
                  .constants(6, COLOURS, value.colours())
                  .text(7, value.text())
                  .text(8, value.note())
                  .texts(9, value.texts())
                  .map(10, value.map())
                  .bytes(11, toArray(value.bytes()))
                  .messages(12, SHAPE, value.shapes())
                  .message(13, SHAPE, value.shape())
                  .number(14, value.maybeLong())
                  .number(300, value.maybeInt()),
          in ->
              new Everything(
                  in.number(1),
                  in.bits(2),
                  in.flag(3),
                  in.constant(4, COLOURS),
                  in.optionalConstant(5, COLOURS),
                  in.constants(6, COLOURS),
                  in.text(7),
                  in.optionalText(8),
                  in.texts(9, 2),
                  in.map(10, 2),
                  in.bytes(11, CodecTest::toList),
                  in.messages(12, SHAPE, 3),
                  in.optionalMessage(13, SHAPE),
                  in.optionalNumber(14),
                  in.optionalInteger(300)));

  private static final Everything FULL =
      new Everything(
          -1,
          Long.MIN_VALUE,
          true,
          Colour.GREEN,
          Optional.of(Colour.RED),
          List.of(Colour.GREEN, Colour.RED),
          "é\uFFFD",
          Optional.of(""),
          List.of("", "b"),
          Map.of("k", "v", "", "w"),
          List.of((byte) 0, (byte) -1),
          List.of(new Circle(7), new Point(), new Circle(8)),
          Optional.of(new Point()),
          OptionalLong.of(1L << 40),
          OptionalInt.of(-5));

  private static final Everything BARE =
      new Everything(
          0,
          0,
          false,
          Colour.RED,
          Optional.empty(),
          List.of(),
          "",
          Optional.empty(),
          List.of(),
          Map.of(),
          List.of(),
          List.of(),
          Optional.empty(),
          OptionalLong.empty(),
          OptionalInt.empty());

  private static byte[] toArray(List<Byte> list) {
    byte[] array = new byte[list.size()];
    for (int i = 0; i < array.length; i++) {
      array[i] = list.get(i);
    }
    return array;
  }

  private static List<Byte> toList(byte[] bytes, int offset, int length) {
    Byte[] list = new Byte[length];
    Arrays.setAll(list, i -> bytes[offset + i]);
    return List.of(list);
  }

  private static Codec<Integer> integerAt(int tag) {
    return Codec.of("integer", (out, value) -> out.number(tag, value), in -> in.integer(tag));
  }

  @Test
  void everyFieldComesBackAsItWent() throws Exception {
    assertThat(EVERYTHING.decode(EVERYTHING.encode(FULL))).isEqualTo(FULL);
    assertThat(EVERYTHING.decode(EVERYTHING.encode(BARE))).isEqualTo(BARE);
    assertThat(EVERYTHING.decode(EVERYTHING.encodeBehind(5, FULL), 1)).isEqualTo(FULL);
  }

  @Test
  void unknownOptionalFieldsAreSkippedWhereverTheyStand() throws Exception {
    byte[] newer =
        Codec.<Integer>of(
                "newer",
                (out, value) ->
                    out.number(1, -1)
                        .bits(2, 5)
                        .message(3, EVERYTHING, FULL)
                        .number(4, value)
                        .texts(5, List.of("a", "b"))
                        .messages(6, SHAPE, List.of(new Point(), new Point())),
                in -> 0)
            .encode(42);
    assertThat(integerAt(4).decode(newer)).isEqualTo(42);
  }

  @Test
  void unknownRequiredFieldOfAnyTypeIsRefusedByItsTag() throws Exception {
    List<Codec.Writer<Integer>> fields =
        List.of(
            (out, tag) -> out.number(tag, 1),
            (out, tag) -> out.bits(tag, 1),
            (out, tag) -> out.constant(tag, COLOURS, Colour.GREEN),
            (out, tag) -> out.text(tag, "a"),
            (out, tag) -> out.texts(tag, List.of("a", "b")),
            (out, tag) -> out.message(tag, SHAPE, new Point()),
            (out, tag) -> out.encoded(tag, SHAPE.encode(new Point())));
    for (int tag : new int[] {1, 9, 300}) {
      for (Codec.Writer<Integer> field : fields) {
        byte[] optional = aroundNumberFour(tag, field);
        byte[] required =
            aroundNumberFour(tag, (out, value) -> field.write(out.required(tag), value));
        assertThat(integerAt(4).decode(optional)).isEqualTo(42);
        assertThatThrownBy(() -> integerAt(4).decode(required))
            .isInstanceOf(MalformedMessageException.class)
            .hasMessageContaining(
                "integer: field " + tag + " is required and not known to this release");
      }
    }
  }

  private static byte[] aroundNumberFour(int tag, Codec.Writer<Integer> field) {
    return Codec.<Integer>of(
            "newer",
            (out, value) -> {
              if (tag < 4) {
                field.write(out, tag);
              }
              out.number(4, value);
              if (tag > 4) {
                field.write(out, tag);
              }
            },
            in -> 0)
        .encode(42);
  }

  @Test
  void requiredFieldIsReadByThoseThatKnowItAndItsMarkReachesNoOtherField() throws Exception {
    for (int tag = 1; tag <= 14; tag++) {
      int required = tag;
      Codec<Everything> marked =
          Codec.of(
              "everything",
              (out, value) -> EVERYTHING.write(out.required(required), value),
              EVERYTHING::read);
      assertThat(EVERYTHING.decode(marked.encode(FULL))).isEqualTo(FULL);
    }
    Codec<Integer> nested =
        Codec.of(
            "nested",
            (out, value) -> out.required(1).message(1, integerAt(1), value).number(2, value),
            in -> 0);
    Codec<Integer> reader =
        Codec.of(
            "reader",
            (out, value) -> {},
            in -> in.message(1, Codec.of("none", (o, v) -> {}, i -> 5)));
    assertThat(reader.decode(nested.encode(1))).isEqualTo(5);
  }

  @Test
  void unknownAlternativeIsRefusedByItsTag() {
    byte[] newer =
        Codec.<Integer>of(
                "newer", (out, value) -> out.required(3).message(3, integerAt(1), value), in -> 0)
            .encode(42);
    assertThatThrownBy(() -> SHAPE.decode(newer))
        .hasMessageContaining("Shape: alternative 3 is not known to this release");
  }

  @Test
  void missingRequiredFieldIsRefusedByItsTag() {
    assertThatThrownBy(() -> integerAt(4).decode(integerAt(5).encode(1)))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageContaining("integer: required field 4 is missing (before byte");
  }

  @Test
  void valueThatItsTypeRefusesIsMalformedAtItsPlace() {
    byte[] negative =
        Codec.<Integer>of("shape", (out, value) -> out.message(1, integerAt(1), value), in -> 0)
            .encode(-1);
    assertThatThrownBy(() -> SHAPE.decode(negative))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageStartingWith("Shape: Circle: radius is -1 (before byte");
  }

  @Test
  void fieldOfAnotherTypeTwiceOrOutOfOrderIsRefused() {
    Codec<Integer> text = Codec.of("t", (out, value) -> out.text(4, "x"), in -> 0);
    Codec<Integer> twice = Codec.of("t", (out, value) -> out.number(4, 1).number(4, 2), in -> 0);
    Codec<Integer> disordered =
        Codec.of("t", (out, value) -> out.number(5, 1).number(4, 2), in -> 0);
    assertThatThrownBy(() -> integerAt(4).decode(text.encode(0)))
        .hasMessageContaining("field 4 has the type 2, expected 0");
    assertThatThrownBy(() -> integerAt(4).decode(twice.encode(0)))
        .hasMessageContaining("field 4 comes twice");
    assertThatThrownBy(() -> integerAt(9).decode(disordered.encode(0)))
        .hasMessageContaining("after field 5 is not of a next field");
  }

  @Test
  void everythingCutShortOrLengthenedIsRefused() {
    byte[] whole = EVERYTHING.encode(FULL);
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> EVERYTHING.decode(cut))
          .isInstanceOf(MalformedMessageException.class);
    }
    byte[] longer = Arrays.copyOf(whole, whole.length + 1);
    assertThatThrownBy(() -> EVERYTHING.decode(longer))
        .hasMessageContaining("1 bytes follow the message");
  }

  @Test
  void garbageGivesANamedExceptionOrAValueThatCanBeWritten() {
    Random random = new Random(20_261_123);
    byte[] whole = EVERYTHING.encode(FULL);
    for (int round = 0; round < 200_000; round++) {
      byte[] message = whole.clone();
      for (int flips = random.nextInt(4); flips >= 0; flips--) {
        message[random.nextInt(message.length)] = (byte) random.nextInt(256);
      }
      byte[] noise = new byte[random.nextInt(64)];
      random.nextBytes(noise);
      for (byte[] bytes : List.of(message, noise)) {
        try {
          Everything value = EVERYTHING.decode(bytes);
          assertThat(EVERYTHING.decode(EVERYTHING.encode(value))).isEqualTo(value);
        } catch (MalformedMessageException declared) {
          assertThat(declared).hasMessageStartingWith("everything: ");
        }
      }
    }
  }

  @Test
  void deeplyNestedUnknownMessagesAreRefused() {
    byte[] nested = new byte[10_000];
    Arrays.fill(nested, (byte) (1 << FieldKey.TAG_SHIFT | FieldKey.MESSAGE));
    assertThatThrownBy(() -> integerAt(4).decode(nested)).hasMessageContaining("nested more than");
  }

  @Test
  void unionWithoutAnAlternativeCannotBeMade() {
    assertThatThrownBy(() -> Union.of(Shape.class, List.of(Union.alternative(9, new Point()))))
        .hasMessageContaining("no codec for")
        .hasMessageContaining("Circle");
  }

  @Test
  void unionWithATagOutOfRangeOrUsedTwiceCannotBeMade() {
    for (int tag : new int[] {0, -1, 1001}) {
      assertThatThrownBy(() -> Union.alternative(tag, new Point()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("Point has the tag " + tag + ", must be 1 to 1000");
    }
    Union.Alternative<Circle> circle =
        Union.alternative(9, Circle.class, (out, value) -> {}, in -> new Circle(1));
    assertThatThrownBy(
            () -> Union.of(Shape.class, List.of(circle, Union.alternative(9, new Point()))))
        .hasMessage("Shape has the tag 9 or the type Point twice");
  }

  @Test
  void moreValuesThanAFieldMayHaveAreRefusedByTagAndNumber() {
    assertTooMany(6, 2, out -> out.constants(6, COLOURS, Collections.nCopies(3, Colour.RED)));
    assertTooMany(9, 2, out -> out.texts(9, List.of("a", "b", "c")));
    assertTooMany(10, 2, out -> out.map(10, Map.of("a", "1", "b", "2", "c", "3")));
    assertTooMany(12, 3, out -> out.messages(12, SHAPE, Collections.nCopies(4, new Point())));
  }

  private static void assertTooMany(int tag, int countMax, Consumer<FieldWriter> field) {
    byte[] message =
        Codec.<Everything>of(
                "hostile",
                (out, value) -> {
                  out.number(1, 0).bits(2, 0).number(4, 0);
                  if (tag < 7) {
                    field.accept(out);
                  }
                  out.text(7, "");
                  if (tag > 7 && tag < 11) {
                    field.accept(out);
                  }
                  out.bytes(11, new byte[0]);
                  if (tag > 11) {
                    field.accept(out);
                  }
                },
                in -> BARE)
            .encode(BARE);
    assertThatThrownBy(() -> EVERYTHING.decode(message))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageStartingWith(
            "everything: field " + tag + " has more than " + countMax + " values (before byte");
  }
}
