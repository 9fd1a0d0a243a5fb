package dev.tarn.gateway.s3.form;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import java.lang.management.ManagementFactory;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the fields of a form say about its object. */
class FormFieldsTest {
  @Test
  void fileNameThatStandsInTheKeyManyTimesDoesNotFillTheMemory() {
    FormFields form = new FormFields(Map.of("key", "${filename}".repeat(1000)), "x".repeat(20_000));
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    assertThatThrownBy(form::key)
        .isInstanceOfSatisfying(
            S3Exception.class, e -> assertThat(e.code()).isEqualTo(S3ErrorCode.KEY_TOO_LONG));
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10 << 20);
  }

  @Test
  void otherFieldsAreNotBuiltFromManyFileNamesEither() {
    FormFields form =
        new FormFields(Map.of("x-amz-meta-a", "${filename}".repeat(1000)), "x".repeat(20_000));
    assertThatThrownBy(() -> form.find("x-amz-meta-a"))
        .isInstanceOfSatisfying(
            S3Exception.class,
            e ->
                assertThat(e.code())
                    .isEqualTo(S3ErrorCode.MAX_POST_PRE_DATA_LENGTH_EXCEEDED_ERROR));
    assertThatThrownBy(form::headers).isInstanceOf(S3Exception.class);
  }

  @Test
  void keyMayBeOfExactlyTheLongestLength() {
    FormFields form = new FormFields(Map.of("key", "a/${filename}/${filename}"), "x".repeat(510));
    assertThat(form.key()).hasSize(1023);
    assertThatThrownBy(new FormFields(form.values(), "x".repeat(511))::key)
        .isInstanceOf(S3Exception.class);
  }
}
