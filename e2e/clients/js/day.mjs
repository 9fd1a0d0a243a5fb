// One user's day with @aws-sdk/client-s3. NODE_EXTRA_CA_CERTS carries the CA over https. BUCKET_MADE: the bucket is there,
// and stays. TRIES_MAX: how often the day itself repeats what the SDK cannot, once unless said otherwise.
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import {
  S3Client, CreateBucketCommand, PutObjectCommand, GetObjectCommand, HeadObjectCommand,
  ListObjectsV2Command, DeleteObjectCommand, DeleteObjectsCommand, DeleteBucketCommand,
  CopyObjectCommand,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";

const Bucket = process.env.BUCKET;
const s3 = new S3Client({ endpoint: process.env.ENDPOINT, region: "us-east-1", forcePathStyle: true });
const tries = Number(process.env.TRIES_MAX ?? 1);
const made = process.env.BUCKET_MADE !== undefined;

// The SDK repeats neither a stream that it has sent a part of, nor a body that breaks off, nor another's fetch.
async function repeated(attempt) {
  for (let left = tries; ; left--) {
    try {
      return await attempt();
    } catch (failure) {
      const broken = failure.code !== "ERR_ASSERTION" && (failure.$metadata?.httpStatusCode ?? 503) === 503;
      if (left === 1 || !broken) throw failure;
      console.log("once more after", failure.name, failure.message);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

const bytes = async (answer) => Buffer.from(await answer.Body.transformToByteArray());
const read = (request) => repeated(async () => bytes(await s3.send(new GetObjectCommand({ Bucket, ...request }))));

if (!made) await s3.send(new CreateBucketCommand({ Bucket }));
const small = randomBytes(8192);
const keys = ["a//b", "a/../b", "%2F", "plus+sign", "é/ü", "with space", "*'()!~", "folder/"];
for (const Key of keys) {
  const put = await s3.send(new PutObjectCommand({ Bucket, Key, Body: small }));
  assert.equal(put.ETag, `"${createHash("md5").update(small).digest("hex")}"`);
  assert.deepEqual(await read({ Key }), small);
}
assert.deepEqual(await read({ Key: "a//b", Range: "bytes=10-19" }), small.subarray(10, 20));

// A stream of unknown length, a hundred times over one connection pool: answered after its last chunk.
for (let i = 0; i < 100; i++) {
  await repeated(() => {
    const Body = Readable.from([small.subarray(0, 100), small.subarray(100)]);
    return s3.send(new PutObjectCommand({ Bucket, Key: "stream", Body, ContentLength: 8192 }));
  });
}
assert.deepEqual(await read({ Key: "stream" }), small);

const large = randomBytes(20 << 20);
await new Upload({ client: s3, params: { Bucket, Key: "large", Body: large }, partSize: 8 << 20 }).done();
const head = await s3.send(new HeadObjectCommand({ Bucket, Key: "large" }));
assert.match(head.ETag, /-3"$/);
assert.deepEqual(await read({ Key: "large" }), large);
await s3.send(new CopyObjectCommand({ Bucket, Key: "copy", CopySource: `${Bucket}/large` }));

const listed = [];
let ContinuationToken;
do {
  const page = await s3.send(new ListObjectsV2Command({ Bucket, MaxKeys: 3, ContinuationToken }));
  listed.push(...page.Contents.map((object) => object.Key));
  ContinuationToken = page.NextContinuationToken;
} while (ContinuationToken);
assert.deepEqual(listed, [...keys, "stream", "large", "copy"].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));

const url = await getSignedUrl(s3, new GetObjectCommand({ Bucket, Key: "with space" }), { expiresIn: 60 });
const fetched = await repeated(async () => {
  const answer = await fetch(url);
  if (answer.status === 503) throw new Error("503");
  return Buffer.from(await answer.arrayBuffer());
});
assert.deepEqual(fetched, small);

await s3.send(new DeleteObjectCommand({ Bucket, Key: "never-there" }));
const gone = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: listed.map((Key) => ({ Key })) } }));
assert.equal(gone.Deleted.length, listed.length);
if (!made) await s3.send(new DeleteBucketCommand({ Bucket }));
