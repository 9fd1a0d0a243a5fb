package dev.tarn.cluster.control;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BucketNamesTest {
  @ParameterizedTest
  @ValueSource(strings = {"abc", "my-data.v2", "0-9", "1.2.3", "a-b--c", "healthz"})
  void legalNameHasNoProblem(String name) {
    assertThat(BucketNames.problem(name)).isEmpty();
    assertThat(BucketNames.problemOfNew(name)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "ab,              has 2 characters",
    "'',              has 0 characters",
    "Data,            'must consist of a-z, 0-9'",
    "da_ta,           'must consist of a-z, 0-9'",
    "a/b,             'must consist of a-z, 0-9'",
    "bücher,          'must consist of a-z, 0-9'",
    "-data,           must begin and end",
    "data.,           must begin and end",
    "da..ta,          two dots",
    "192.168.5.4,     IP address",
    "xn--data,        'begin with ''xn--'''",
    "sthree-data,     'begin with ''sthree-'''",
    "data-s3alias,    'end with ''-s3alias'''",
    "data--x-s3,      'end with ''--x-s3'''",
  })
  void illegalNameIsToldItsRule(String name, String rule) {
    assertThat(BucketNames.problem(name)).get().asString().contains(rule);
    assertThat(BucketNames.problemOfNew(name)).isEqualTo(BucketNames.problem(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"da.-ta", "da-.ta"})
  void dotBesideAHyphenIsOfOldBucketsAlone(String name) {
    assertThat(BucketNames.problem(name)).isEmpty();
    assertThat(BucketNames.problemOfNew(name)).get().asString().contains("a dot beside a hyphen");
  }

  @ParameterizedTest
  @ValueSource(ints = {64, 255, 100_000})
  void longNameIsRefusedAndShownShortened(int length) {
    assertThat(BucketNames.problem("a".repeat(length)))
        .get()
        .asString()
        .contains("has " + length + " characters, must have 3 to 63")
        .hasSizeLessThan(200);
  }
}
