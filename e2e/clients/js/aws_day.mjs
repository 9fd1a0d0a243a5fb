// One user's day with @aws-sdk/client-s3 and lib-storage. NODE_EXTRA_CA_CERTS carries the CA over https. BUCKET_MADE: the
// bucket is there, and stays. TRIES_MAX: how often the day itself tries what the SDK does not repeat, once unless said
// otherwise.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { Readable } from "node:stream";
import {
  S3Client, CreateBucketCommand, PutObjectCommand, GetObjectCommand, HeadObjectCommand,
  ListObjectsV2Command, DeleteObjectCommand, DeleteObjectsCommand, DeleteBucketCommand,
  CopyObjectCommand,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { BUCKET as Bucket, ENDPOINT, each, fetched, large, made, md5, middle, repeated, sorted, tree } from "./input.mjs";

const partBytes = 8 << 20;
const s3 = new S3Client({ endpoint: ENDPOINT, region: "us-east-1", forcePathStyle: true });
const bytes = async (answer) => Buffer.from(await answer.Body.transformToByteArray());
const read = (request) => repeated(async () => bytes(await s3.send(new GetObjectCommand({ Bucket, ...request }))));
const put = (request) => s3.send(new PutObjectCommand({ Bucket, ...request }));
const { version } = createRequire(import.meta.url)("@aws-sdk/client-s3/package.json");
console.log(`version: @aws-sdk/client-s3 ${version}`);

if (!made) await s3.send(new CreateBucketCommand({ Bucket }));
const objects = tree();
for (const key of ["a//b", "a/../b", "/leading", "%2F", "plus+sign", "é/ü", "with space", "*'()!~", "folder/", "\ufffd", "\u{1f600}", "x".repeat(1024)]) {
  objects.set(key, Buffer.from(`bytes of ${key}`));
}
await each(objects.keys(), 8, async (Key) => {
  assert.equal((await put({ Key, Body: objects.get(Key) })).ETag, `"${md5(objects.get(Key))}"`);
});

// A stream of unknown length, a hundred times over one connection pool: answered after its last chunk.
const small = Buffer.alloc(8192, "of a stream");
for (let i = 0; i < 100; i++) {
  await repeated(() => put({
    Key: "stream", Body: Readable.from([small.subarray(0, 100), small.subarray(100)]), ContentLength: 8192,
  }));
}
objects.set("stream", small);

await new Upload({ client: s3, params: { Bucket, Key: "large", Body: large }, partSize: partBytes }).done();
objects.set("large", large);
const head = await s3.send(new HeadObjectCommand({ Bucket, Key: "large" }));
assert.match(head.ETag, new RegExp(`-${Math.ceil(large.length / partBytes)}"$`));
assert.deepEqual(await read({ Key: "large", Range: `bytes=${middle}-${middle + 99}` }), large.subarray(middle, middle + 100));

await s3.send(new CopyObjectCommand({ Bucket, Key: "copy", CopySource: `${Bucket}/large` }));
objects.set("copy", large);
await s3.send(new CopyObjectCommand({ Bucket, Key: "copy é", CopySource: `${Bucket}/${encodeURIComponent("é/ü")}` }));
objects.set("copy é", objects.get("é/ü"));
await put({ Key: "plus+sign", Body: "other" });
objects.set("plus+sign", Buffer.from("other"));
if (!made) await put({ Key: "once", Body: "once", IfNoneMatch: "*" });
else await put({ Key: "once", Body: "once" });
objects.set("once", Buffer.from("once"));
await assert.rejects(put({ Key: "once", Body: "twice", IfNoneMatch: "*" }), { name: "PreconditionFailed" });

const listed = [];
let ContinuationToken;
do {
  const page = await s3.send(new ListObjectsV2Command({ Bucket, MaxKeys: 100, ContinuationToken }));
  listed.push(...page.Contents.map((object) => object.Key));
  ContinuationToken = page.NextContinuationToken;
} while (ContinuationToken);
assert.deepEqual(listed, sorted(objects.keys()));
await each(listed, 8, async (Key) => assert.ok((await read({ Key })).equals(objects.get(Key)), Key));

const url = await getSignedUrl(s3, new GetObjectCommand({ Bucket, Key: "with space" }), { expiresIn: 60 });
assert.deepEqual(await fetched(url), objects.get("with space"));

await s3.send(new DeleteObjectCommand({ Bucket, Key: "never-there" }));
for (let at = 0; at < listed.length; at += 1000) {
  const Objects = listed.slice(at, at + 1000).map((Key) => ({ Key }));
  const gone = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
  assert.equal(gone.Deleted.length, Objects.length);
}
assert.equal((await s3.send(new ListObjectsV2Command({ Bucket }))).KeyCount, 0);
if (!made) await s3.send(new DeleteBucketCommand({ Bucket }));
