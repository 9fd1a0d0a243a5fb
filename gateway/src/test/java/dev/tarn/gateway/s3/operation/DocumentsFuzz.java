package dev.tarn.gateway.s3.operation;

import dev.tarn.gateway.s3.OperationFuzz;
import java.util.List;

/** The documents of requests, up to what the target is asked for. */
class DocumentsFuzz extends OperationFuzz {
  DocumentsFuzz() {
    super(
        """
        POST /bucket/key?uploadId=u
        host: h

        <CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
        <Part><PartNumber>1</PartNumber><ETag>"5eb63bbbe01eeed093cb22bb8f5acdc3"</ETag>
        <ChecksumCRC32>DUoRhQ==</ChecksumCRC32></Part>
        <Part><ETag>&quot;5eb63bbbe01eeed093cb22bb8f5acdc3&quot;</ETag><PartNumber>3</PartNumber></Part>
        </CompleteMultipartUpload>
        """,
        """
        POST /bucket?delete
        content-md5: XrY7u+Ae7tCTyyK7j1rNww==

        <?xml version="1.0" encoding="UTF-8"?>
        <Delete><Quiet>false</Quiet><Object><Key> a//b é</Key><VersionId>null</VersionId></Object>
        <Object><Key>k</Key><ETag>"e"</ETag></Object></Delete>
        """,
        """
        PUT /bucket/key?tagging
        host: h

        <Tagging><TagSet><Tag><Key>k</Key><Value>v</Value></Tag><Tag><Key>l</Key><Value/></Tag></TagSet>
        </Tagging>
        """,
        """
        PUT /bucket?versioning
        host: h

        <VersioningConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
        <Status>Enabled</Status></VersioningConfiguration>
        """,
        """
        PUT /bucket
        host: h

        <CreateBucketConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
        <LocationConstraint>eu-west-1</LocationConstraint></CreateBucketConfiguration>
        """,
        """
        PUT /bucket/key?acl

        <AccessControlPolicy><Owner><ID>u-1</ID></Owner><AccessControlList><Grant>
        <Grantee xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="CanonicalUser">
        <ID>u-1</ID></Grantee><Permission>FULL_CONTROL</Permission></Grant></AccessControlList>
        </AccessControlPolicy>
        """);
  }

  @Override
  protected List<String> vocabulary() {
    return List.of(
        "<Part>",
        "</Part>",
        "<PartNumber>",
        "<ETag>",
        "<Object>",
        "<Key>",
        "</Key>",
        "<Tag>",
        "<Value>",
        "<Grant>",
        "<ID>",
        "<!DOCTYPE a [<!ENTITY x 'y'>]>",
        "&x;",
        "&lt;",
        "&#x10000;",
        "<ChecksumSHA256>");
  }

  @Override
  protected int allocatedPerByteMax() {
    return 256;
  }
}
