// What the days in JavaScript share: what the environment gives, the files to upload, and order by UTF-8.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

export const { ENDPOINT, BUCKET, INPUT, WORK } = process.env;
export const made = process.env.BUCKET_MADE !== undefined;
export const large = readFileSync(join(INPUT, "large"));
export const middle = Math.floor(large.length / 2) + 7;

// Keys to bytes.
export function tree() {
  const root = join(INPUT, "tree");
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(files.map((file) => {
    const path = join(file.parentPath ?? file.path, file.name);
    return [`tree/${relative(root, path)}`, readFileSync(path)];
  }));
}

export const md5 = (bytes) => createHash("md5").update(bytes).digest("hex");
export const sorted = (keys) => [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

// So many at once.
export async function each(items, atOnce, action) {
  const rest = [...items];
  await Promise.all(Array.from({ length: atOnce }, async () => {
    for (let item; (item = rest.pop()) !== undefined;) await action(item);
  }));
}

const tries = Number(process.env.TRIES_MAX ?? 1);

// The SDK repeats neither a stream that it has sent a part of, nor a body that breaks off, nor another's fetch.
export async function repeated(attempt) {
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

export const fetched = (url) => repeated(async () => {
  const answer = await fetch(url);
  if (answer.status === 503) throw new Error("503");
  return Buffer.from(await answer.arrayBuffer());
});
