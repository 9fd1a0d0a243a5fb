package dev.tarn.e2e.clients;

/** The Java clients. */
enum JavaClientKind {
  SDK_SYNC("java-sync"),
  SDK_ASYNC("java-async"),
  SDK_CRT("java-crt"),
  MINIO("minio-java");

  private final String title;

  JavaClientKind(String title) {
    this.title = title;
  }

  /** The name that the scripts know it by. */
  String title() {
    return title;
  }

  JavaClient open(S3Endpoint endpoint) throws Exception {
    return switch (this) {
      case SDK_SYNC -> new SdkSync(endpoint);
      case SDK_ASYNC ->
          new SdkAsync("AWS SDK for Java, async", endpoint, SdkSettings.asyncMultipart(endpoint));
      case SDK_CRT -> new SdkAsync("AWS SDK for Java, CRT", endpoint, SdkSettings.crt(endpoint));
      case MINIO -> new MinioJava(endpoint);
    };
  }
}
