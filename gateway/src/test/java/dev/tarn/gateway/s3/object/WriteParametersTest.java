package dev.tarn.gateway.s3.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.BucketConfiguration;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.request.Headers;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class WriteParametersTest {
  private static final Bucket BUCKET =
      new Bucket(
          new BucketId(1),
          "bucket",
          "owner",
          0,
          1,
          BucketSettings.PRIMARY,
          BucketConfiguration.NONE);

  @Test
  void metadataThatIsTooLargeIsCountedAndNotJoined() {
    Headers.Builder builder = Headers.builder();
    for (int i = 0; i < 4000; i++) {
      builder.add("x-amz-meta-a", "b");
    }
    Headers headers = builder.build();
    assertRefused(headers);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    assertRefused(headers);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(5_000_000);
  }

  private static void assertRefused(Headers headers) {
    assertThatThrownBy(() -> WriteParameters.attributes(headers, BUCKET))
        .isInstanceOfSatisfying(
            S3Exception.class,
            refusal -> assertThat(refusal.error().fields()).containsEntry("Size", "8000"));
  }
}
