package dev.tarn.gateway.s3;

import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.UploadPage;
import dev.tarn.cluster.target.UploadPage.UploadEntry;

/** The open multipart uploads of a bucket that goes away. */
final class OpenUploads {
  private OpenUploads() {}

  /** Gives them all up, page by page. */
  static void abortAll(ObjectTarget target, CallScope scope) {
    boolean more = true;
    String afterKey = "";
    String afterUploadId = "";
    while (more) {
      UploadPage page =
          Outcomes.await(
              target.listUploads(
                  new TargetRequest.ListUploads(
                      scope, "", "", afterKey, afterUploadId, Numbers.PAGE_MAX)));
      for (UploadPage.Entry entry : page.entries()) {
        if (entry instanceof UploadEntry upload) {
          afterKey = upload.key().text();
          afterUploadId = upload.uploadId();
          target
              .abort(new TargetRequest.Abort(scope, upload.key(), upload.uploadId()))
              .toCompletableFuture()
              .join();
        }
      }
      more = page.truncated() && !page.entries().isEmpty();
    }
  }
}
