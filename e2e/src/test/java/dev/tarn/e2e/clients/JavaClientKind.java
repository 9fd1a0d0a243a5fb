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

  JavaClient open(Place place) throws Exception {
    return switch (this) {
      case SDK_SYNC -> new SdkSync(place);
      case SDK_ASYNC ->
          new SdkAsync("AWS SDK for Java, async", place, SdkSettings.asyncMultipart(place));
      case SDK_CRT -> new SdkAsync("AWS SDK for Java, CRT", place, SdkSettings.crt(place));
      case MINIO -> new MinioJava(place);
    };
  }
}
