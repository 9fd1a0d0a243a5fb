// One user's day with minio-js. NODE_EXTRA_CA_CERTS carries the CA over https.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as Minio from "minio";
import { BUCKET, ENDPOINT, INPUT, WORK, each, fetched, large, md5, middle, sorted, tree } from "./input.mjs";

const { version } = createRequire(import.meta.url)("minio/package.json");
console.log(`version: minio-js ${version}`);
const url = new URL(ENDPOINT);
const s3 = new Minio.Client({
  endPoint: url.hostname,
  port: Number(url.port),
  useSSL: url.protocol === "https:",
  accessKey: process.env.AWS_ACCESS_KEY_ID,
  secretKey: process.env.AWS_SECRET_ACCESS_KEY,
  partSize: 8 << 20,
});
const gathered = async (stream) => {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
};
const read = async (key) => gathered(await s3.getObject(BUCKET, key));
const list = async () => {
  const keys = [];
  for await (const object of s3.listObjectsV2(BUCKET, "", true)) keys.push(object.name);
  return keys;
};

await s3.makeBucket(BUCKET);
assert.ok(await s3.bucketExists(BUCKET));
const objects = tree();
for (const key of ["a//b", "a/../b", "/leading", "%2F", "plus+sign", "é/ü", "with space", "*'()!~", "folder/", "\ufffd", "\u{1f600}", "x".repeat(1024)]) {
  objects.set(key, Buffer.from(`bytes of ${key}`));
}
await each(objects.keys(), 8, async (key) => {
  assert.equal((await s3.putObject(BUCKET, key, objects.get(key))).etag, md5(objects.get(key)));
});

await s3.fPutObject(BUCKET, "large", join(INPUT, "large"));
objects.set("large", large);
assert.match((await s3.statObject(BUCKET, "large")).etag, /^[0-9a-f]{32}-\d+$/);
await s3.fGetObject(BUCKET, "large", join(WORK, "large"));
assert.ok(readFileSync(join(WORK, "large")).equals(large));
assert.deepEqual(await gathered(await s3.getPartialObject(BUCKET, "large", middle, 100)), large.subarray(middle, middle + 100));

await s3.copyObject(BUCKET, "copy", `/${BUCKET}/large`);
objects.set("copy", large);
await s3.copyObject(BUCKET, "copy é", `/${BUCKET}/é/ü`);
objects.set("copy é", objects.get("é/ü"));
await s3.putObject(BUCKET, "plus+sign", "other");
objects.set("plus+sign", Buffer.from("other"));
console.log("note: no conditional write: it sends an If-None-Match as metadata");

assert.deepEqual(await list(), sorted(objects.keys()));
await each(objects.keys(), 8, async (key) => assert.ok((await read(key)).equals(objects.get(key)), key));
assert.deepEqual(await fetched(await s3.presignedGetObject(BUCKET, "with space", 60)), objects.get("with space"));

await s3.removeObject(BUCKET, "never-there");
await s3.removeObjects(BUCKET, [...objects.keys()]);
assert.deepEqual(await list(), []);
await s3.removeBucket(BUCKET);
assert.equal(await s3.bucketExists(BUCKET), false);
