package dev.tarn.sharder.plan.option;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.compression.Compression;
import dev.tarn.shard.manifest.ShardPattern;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Converts planning options to named texts and back, for the manifest and the plan's header. */
public final class PlanOptionTexts {
  private static final String GROUP_BY = "group_by";
  private static final String DOTS = "dots";
  private static final String PREFIX_BY = "prefix_by";
  private static final String RESERVED = "reserved";
  private static final String LOWER_CASE_EXTENSIONS = "lower_case_extensions";
  private static final String HIDDEN = "hidden";
  private static final String LABEL_FROM = "label_from";
  private static final String REQUIRE = "require";
  private static final String MISSING = "missing";
  private static final String ORDER = "order";
  private static final String SEED = "seed";
  private static final String SPLIT = "split";
  private static final String ROUTES = "routes";
  private static final String PATTERN = "pattern";
  private static final String MAXIMUM_COUNT = "max_count";
  private static final String MAXIMUM_SIZE = "max_size";
  private static final String COMPRESS = "compress";
  private static final String LEVEL = "level";
  private static final String TIME = "time";
  private static final String ON_ERROR = "on_error";
  private static final String ERRORS_MAX = "errors_max";

  private PlanOptionTexts() {}

  static SortedMap<String, String> of(PlanOptions options) {
    SortedMap<String, String> texts = new TreeMap<>();
    options.groupBy().ifPresent(keys -> texts.put(GROUP_BY, keys.text()));
    texts.put(DOTS, text(options.dots()));
    if (options.prefixBy() != PrefixBy.NONE) {
      texts.put(PREFIX_BY, text(options.prefixBy()));
    }
    if (options.reserved() != Reserved.REFUSE) {
      texts.put(RESERVED, text(options.reserved()));
    }
    if (options.lowerCaseExtensions()) {
      texts.put(LOWER_CASE_EXTENSIONS, Boolean.toString(true));
    }
    if (options.hidden()) {
      texts.put(HIDDEN, Boolean.toString(true));
    }
    if (options.labelFrom() != LabelFrom.NONE) {
      texts.put(LABEL_FROM, text(options.labelFrom()));
    }
    Requirement requirement = options.requirement();
    if (!requirement.extensions().isEmpty()) {
      texts.put(REQUIRE, String.join(",", requirement.extensions()));
      texts.put(MISSING, text(requirement.missing()));
    }
    switch (options.order().kind()) {
      case KEY -> {}
      case SOURCE -> texts.put(ORDER, text(Order.Kind.SOURCE));
      case SHUFFLE -> texts.put(SEED, Long.toString(options.order().seed()));
    }
    if (!options.splits().isEmpty()) {
      texts.put(
          SPLIT, options.splits().stream().map(Split::toString).collect(Collectors.joining(",")));
    }
    if (!options.routes().isEmpty()) {
      texts.put(
          ROUTES, options.routes().stream().map(Route::line).collect(Collectors.joining("\n")));
    }
    texts.put(PATTERN, options.pattern().text());
    options.maximumCount().ifPresent(count -> texts.put(MAXIMUM_COUNT, Long.toString(count)));
    texts.put(MAXIMUM_SIZE, Long.toString(options.maximumSize()));
    options.compression().method().ifPresent(method -> texts.put(COMPRESS, method.text()));
    options.compression().level().ifPresent(level -> texts.put(LEVEL, Integer.toString(level)));
    texts.put(TIME, Long.toString(options.time()));
    if (options.onError() != OnError.ABORT) {
      texts.put(ON_ERROR, text(options.onError()));
      texts.put(ERRORS_MAX, Long.toString(options.errorsMax()));
    }
    return texts;
  }

  /**
   * Parses options.
   *
   * @throws IllegalArgumentException if an option is unknown, missing or invalid
   */
  public static PlanOptions parse(Map<String, String> texts) {
    Map<String, String> left = new TreeMap<>(texts);
    PlanOptions.Builder options = PlanOptions.builder();
    take(left, GROUP_BY, text -> options.groupBy(KeyPattern.of(text)));
    take(left, DOTS, text -> options.dots(choice(Dots.class, text)));
    take(left, PREFIX_BY, text -> options.prefixBy(choice(PrefixBy.class, text)));
    take(left, RESERVED, text -> options.reserved(choice(Reserved.class, text)));
    take(
        left,
        LOWER_CASE_EXTENSIONS,
        text -> options.lowerCaseExtensions(Boolean.parseBoolean(text)));
    take(left, HIDDEN, text -> options.hidden(Boolean.parseBoolean(text)));
    take(left, LABEL_FROM, text -> options.labelFrom(choice(LabelFrom.class, text)));
    Requirement.Missing missing =
        choice(
            Requirement.Missing.class,
            Optional.ofNullable(left.remove(MISSING)).orElse(text(Requirement.Missing.ABORT)));
    take(
        left,
        REQUIRE,
        text -> options.requirement(new Requirement(List.of(text.split(",")), missing)));
    take(left, ORDER, text -> options.order(new Order(choice(Order.Kind.class, text), 0)));
    take(left, SEED, text -> options.order(Order.shuffled(Long.parseLong(text))));
    take(left, SPLIT, text -> options.splits(Split.parse(text)));
    take(left, ROUTES, text -> options.routes(Route.parse(ROUTES, text)));
    options.pattern(new ShardPattern(requireNonNull(left.remove(PATTERN), PATTERN)));
    take(left, MAXIMUM_COUNT, text -> options.maximumCount(Long.parseLong(text)));
    take(left, MAXIMUM_SIZE, text -> options.maximumSize(Long.parseLong(text)));
    OptionalInt level =
        left.containsKey(LEVEL)
            ? OptionalInt.of(Integer.parseInt(requireNonNull(left.remove(LEVEL))))
            : OptionalInt.empty();
    take(
        left,
        COMPRESS,
        text ->
            options.compression(new ShardCompression(Optional.of(Compression.named(text)), level)));
    take(left, TIME, text -> options.time(Long.parseLong(text)));
    take(left, ON_ERROR, text -> options.onError(choice(OnError.class, text)));
    take(left, ERRORS_MAX, text -> options.errorsMax(Long.parseLong(text)));
    if (!left.isEmpty()) {
      throw new IllegalArgumentException("unknown options " + left.keySet());
    }
    return options.build();
  }

  private static void take(Map<String, String> texts, String name, Consumer<String> action) {
    String text = texts.remove(name);
    if (text != null) {
      action.accept(text);
    }
  }

  private static String text(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT);
  }

  private static <E extends Enum<E>> E choice(Class<E> type, String text) {
    return Arrays.stream(type.getEnumConstants())
        .filter(choice -> text(choice).equals(text))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("unknown choice \"" + text + "\""));
  }
}
