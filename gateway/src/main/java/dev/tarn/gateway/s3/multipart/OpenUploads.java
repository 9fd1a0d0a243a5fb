package dev.tarn.gateway.s3.multipart;

import dev.tarn.cluster.target.Aborted;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.UploadPage;
import dev.tarn.cluster.target.UploadPage.UploadEntry;
import dev.tarn.cluster.target.UploadRequest;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.s3.operation.Numbers;
import dev.tarn.gateway.s3.operation.Outcomes;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** The open multipart uploads of a bucket that is being deleted. */
public final class OpenUploads {
  private static final Comparator<UploadEntry> ORDER =
      Comparator.comparing(UploadEntry::key).thenComparing(UploadEntry::uploadId);

  private OpenUploads() {}

  /**
   * Aborts all uploads, page by page. An upload that has ended since the listing is skipped.
   *
   * @throws S3Exception if an upload is not aborted
   * @throws IllegalStateException if a page does not continue after the previous page
   */
  public static void abortAll(ObjectTarget target, CallScope scope) {
    UploadEntry last = null;
    boolean more = true;
    while (more) {
      UploadPage page = Outcomes.await(target.call(behind(scope, last)));
      UploadEntry before = last;
      for (UploadPage.Entry entry : page.entries()) {
        if (entry instanceof UploadEntry upload) {
          last = upload;
          abort(target, new UploadRequest.Abort(scope, upload.key(), upload.uploadId()));
        }
      }
      more = page.truncated();
      if (more && !isBehind(last, before)) {
        throw new IllegalStateException("a page of open uploads is given again, behind " + before);
      }
    }
  }

  private static void abort(ObjectTarget target, UploadRequest.Abort abort) {
    Outcome<Aborted> outcome = target.call(abort).toCompletableFuture().join();
    if (!(outcome instanceof Outcome.Failed<Aborted>(Failure.NoSuchUpload()))) {
      Outcomes.value(outcome);
    }
  }

  private static TargetRequest.ListUploads behind(CallScope scope, @Nullable UploadEntry last) {
    return new TargetRequest.ListUploads(
        scope,
        "",
        "",
        last == null ? "" : last.key().text(),
        last == null ? "" : last.uploadId(),
        Numbers.PAGE_MAX);
  }

  private static boolean isBehind(@Nullable UploadEntry last, @Nullable UploadEntry before) {
    return last != null && (before == null || ORDER.compare(last, before) > 0);
  }
}
