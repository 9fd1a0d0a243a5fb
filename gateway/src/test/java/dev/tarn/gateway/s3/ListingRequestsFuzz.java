package dev.tarn.gateway.s3;

import dev.tarn.gateway.s3.listing.ContinuationToken;

class ListingRequestsFuzz extends OperationFuzz {
  ListingRequestsFuzz() {
    super(
        "GET /?max-buckets=10&prefix=b&continuation-token=" + ContinuationToken.encode("a"),
        "GET /bucket?prefix=a%20b&delimiter=%2F&marker=&max-keys=1000&encoding-type=url",
        "GET /bucket?list-type=2&prefix=&delimiter=&start-after=a&fetch-owner=true&max-keys=0",
        "GET /bucket?list-type=2&encoding-type=url&continuation-token="
            + ContinuationToken.encode("é/"),
        "GET /bucket?versions&prefix=a&key-marker=k&version-id-marker=null&encoding-type=url",
        "GET /bucket?uploads&prefix=a&delimiter=/&key-marker=k&upload-id-marker=u&max-uploads=1",
        "GET /bucket/key?uploadId=u&max-parts=5&part-number-marker=7&encoding-type=url");
  }
}
