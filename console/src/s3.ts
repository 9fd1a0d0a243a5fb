import type { Session } from "./session";
import { encode, objectPath } from "./signing";

const PAGE_KEYS = 200;

/** A bucket as S3 lists it. */
export interface BucketEntry {
  name: string;
  created: string;
}

/** An object, or one version of it. */
export interface ObjectEntry {
  key: string;
  size: number;
  changed: string;
  etag: string;
  version?: string | undefined;
  isLatest?: boolean;
  isMarker?: boolean;
}

/** A page of a listing. */
export interface ObjectPage {
  folders: string[];
  objects: ObjectEntry[];
  next: string | undefined;
  isPartial: boolean;
}

/** The buckets that the user may see. */
export async function listBuckets(session: Session): Promise<BucketEntry[]> {
  const document = await xml(session.s3({ method: "GET", path: "/" }));
  return all(document, "Bucket").map((bucket) => ({ name: text(bucket, "Name"), created: text(bucket, "CreationDate") }));
}

/** A page of the keys with a prefix, by folders. */
export async function listObjects(session: Session, bucket: string, prefix: string, from?: string): Promise<ObjectPage> {
  const query: [string, string][] = [
    ["list-type", "2"],
    ["delimiter", "/"],
    ["encoding-type", "url"],
    ["max-keys", String(PAGE_KEYS)],
    ["prefix", prefix],
  ];
  if (from !== undefined) {
    query.push(["continuation-token", from]);
  }
  const response = await session.s3({ method: "GET", path: "/" + encode(bucket), query });
  const isPartial = response.headers.get("x-tarn-listing") === "partial";
  const document = await xml(response);
  return {
    folders: all(document, "CommonPrefixes").map((folder) => decoded(text(folder, "Prefix"))),
    objects: all(document, "Contents").map(entry),
    next: document.querySelector("NextContinuationToken")?.textContent ?? undefined,
    isPartial,
  };
}

/** All versions of one key, at most a thousand, the newest first. */
export async function listVersions(session: Session, bucket: string, key: string): Promise<ObjectEntry[]> {
  const query: [string, string][] = [
    ["versions", ""],
    ["encoding-type", "url"],
    ["prefix", key],
  ];
  const document = await xml(session.s3({ method: "GET", path: "/" + encode(bucket), query }));
  return [...document.querySelectorAll("Version, DeleteMarker")]
    .map((version) => ({
      ...entry(version),
      version: text(version, "VersionId"),
      isLatest: text(version, "IsLatest") === "true",
      isMarker: version.tagName === "DeleteMarker",
    }))
    .filter((version) => version.key === key);
}

/** The tags of an object. */
export async function listTags(session: Session, bucket: string, key: string): Promise<[string, string][]> {
  const request = { method: "GET", path: objectPath(bucket, key), query: [["tagging", ""]] as [string, string][] };
  const document = await xml(session.s3(request));
  return all(document, "Tag").map((tag) => [text(tag, "Key"), text(tag, "Value")]);
}

/** Writes an object. */
export async function upload(session: Session, bucket: string, key: string, file: File): Promise<void> {
  await session.s3({
    method: "PUT",
    path: objectPath(bucket, key),
    headers: { "content-type": file.type || "application/octet-stream" },
    body: new Uint8Array(await file.arrayBuffer()),
  });
}

/** Deletes an object, or one version of it. */
export async function remove(session: Session, bucket: string, key: string, version?: string): Promise<void> {
  const query: [string, string][] = version === undefined ? [] : [["versionId", version]];
  await session.s3({ method: "DELETE", path: objectPath(bucket, key), query });
}

/** The address for a download of an object, which the browser saves and does not show. */
export function downloadAddress(session: Session, bucket: string, key: string, version?: string): Promise<string> {
  const query: [string, string][] = [["response-content-disposition", "attachment"]];
  if (version !== undefined) {
    query.push(["versionId", version]);
  }
  return session.download(objectPath(bucket, key), query);
}

async function xml(pending: Response | Promise<Response>): Promise<Document> {
  const body = await (await pending).text();
  return new DOMParser().parseFromString(body, "application/xml");
}

function entry(element: Element): ObjectEntry {
  return {
    key: decoded(text(element, "Key")),
    size: Number(text(element, "Size")),
    changed: text(element, "LastModified"),
    etag: text(element, "ETag").replaceAll('"', ""),
  };
}

function all(parent: ParentNode, name: string): Element[] {
  return [...parent.querySelectorAll(name)];
}

function text(element: Element, name: string): string {
  return [...element.children].find((child) => child.tagName === name)?.textContent ?? "";
}

function decoded(value: string): string {
  return decodeURIComponent(value.replaceAll("+", " "));
}
