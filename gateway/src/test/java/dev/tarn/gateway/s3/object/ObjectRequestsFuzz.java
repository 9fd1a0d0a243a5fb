package dev.tarn.gateway.s3.object;

import dev.tarn.gateway.s3.OperationFuzz;
import java.util.List;

/** The headers and parameters of requests for objects. */
class ObjectRequestsFuzz extends OperationFuzz {
  ObjectRequestsFuzz() {
    super(
        """
        PUT /bucket/key
        x-amz-tagging: a=b&c=d%20e+f&g=
        x-amz-meta-who: me
        x-amz-meta-who: é
        content-type: text/plain; charset=utf-8
        content-encoding: gzip, aws-chunked
        cache-control: no-cache
        expires: Thu, 01 Dec 1994 16:00:00 GMT
        x-amz-storage-class: STANDARD
        x-amz-acl: private
        if-none-match: *
        """,
        """
        GET /bucket/key?versionId=null&response-content-type=text/plain&response-expires=0
        range: bytes=0-9
        if-match: "5eb63bbbe01eeed093cb22bb8f5acdc3", W/"a", *
        if-none-match: "b"
        if-modified-since: Thu, 01 Dec 1994 16:00:00 GMT
        if-unmodified-since: Thu, 1 Dec 1994 16:00:00 +0100
        x-amz-checksum-mode: enabled
        """,
        "GET /bucket/key?partNumber=2\nhost: h",
        """
        PUT /bucket/key
        x-amz-copy-source: /bucket/a%20b/%C3%A9+c?versionId=null
        x-amz-metadata-directive: REPLACE
        x-amz-tagging-directive: REPLACE
        x-amz-tagging: a=b
        x-amz-checksum-algorithm: crc64nvme
        x-amz-copy-source-if-match: "e"
        x-amz-copy-source-if-modified-since: Thu, 01 Dec 1994 16:00:00 GMT
        """,
        """
        PUT /bucket/key?partNumber=1&uploadId=u
        x-amz-copy-source: bucket/k
        x-amz-copy-source-range: bytes=0-10
        """,
        """
        POST /bucket/key?uploads
        x-amz-checksum-algorithm: CRC32
        x-amz-checksum-type: FULL_OBJECT
        x-amz-meta-a: b
        """,
        """
        GET /bucket/key?attributes
        x-amz-object-attributes: ETag, Checksum,ObjectParts
        x-amz-max-parts: 10
        x-amz-part-number-marker: 1
        """,
        "DELETE /bucket/key?uploadId=u\nhost: h",
        "GET /bucket/key?tagging\nhost: h",
        "GET /bucket/key?acl\nhost: h");
  }

  @Override
  protected List<String> vocabulary() {
    return List.of(
        "\nx-amz-meta-a: b",
        "\nx-amz-tagging: k=v",
        "\nx-amz-copy-source: /bucket/k",
        "\nx-amz-object-attributes: ObjectSize",
        "\nrange: bytes=-5",
        "?versionId=",
        "aws:",
        "x-amz-server-side-encryption",
        "CRC32",
        "SHA256",
        "COMPOSITE");
  }
}
