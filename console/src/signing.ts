/** Signs requests with AWS signature version 4. The secret becomes a key that scripts cannot read. */
const REGION = "us-east-1";
const SERVICE = "s3";
const UNSIGNED = "UNSIGNED-PAYLOAD";
const text = new TextEncoder();

/** A request to sign. The path is encoded already; names and values of the query are not. */
export interface Unsigned {
  method: string;
  path: string;
  query?: [string, string][];
  headers?: Record<string, string>;
  body?: Uint8Array<ArrayBuffer> | undefined;
}

/** The target of a signed request, and all its headers but the host. */
export interface Signed {
  target: string;
  headers: Record<string, string>;
}

/** Signs for one access key. */
export class Signer {
  private today: { day: string; key: CryptoKey } | undefined;

  private constructor(
    readonly accessKey: string,
    private readonly secret: CryptoKey,
    private readonly host: string,
  ) {}

  /** Throws if the page has no WebCrypto, as on plain HTTP from another host. */
  static async of(accessKey: string, secretKey: string, host: string): Promise<Signer> {
    if (globalThis.crypto?.subtle === undefined) {
      throw new Error(
        "This browser signs requests only on https:// or on localhost. Forward the admin port to this machine, for" +
          " example with ssh -L 9001:localhost:9001 or kubectl port-forward, and open http://localhost:9001/.",
      );
    }
    return new Signer(accessKey, await hmacKey(text.encode("AWS4" + secretKey)), host);
  }

  /** Signs the head and, if there is one, the body. */
  async sign(request: Unsigned, now = new Date()): Promise<Signed> {
    const time = timestamp(now);
    const bodyHash = await sha256Hex(request.body ?? new Uint8Array());
    const headers: Record<string, string> = {
      ...request.headers,
      "x-amz-content-sha256": bodyHash,
      "x-amz-date": time,
    };
    const all = { ...headers, host: this.host };
    const query = canonicalQuery(request.query ?? []);
    const signature = await this.signature(request.method, request.path, query, all, bodyHash, time);
    headers["authorization"] =
      `AWS4-HMAC-SHA256 Credential=${this.accessKey}/${scope(time)},` +
      `SignedHeaders=${signedNames(all)},Signature=${signature}`;
    return { target: target(request.path, query), headers };
  }

  /** A target that anyone may GET for so many seconds, with this query besides. */
  async presign(path: string, query: [string, string][], seconds: number, now = new Date()): Promise<string> {
    const time = timestamp(now);
    const all = { host: this.host };
    const signedQuery: [string, string][] = [
      ...query,
      ["X-Amz-Algorithm", "AWS4-HMAC-SHA256"],
      ["X-Amz-Credential", `${this.accessKey}/${scope(time)}`],
      ["X-Amz-Date", time],
      ["X-Amz-Expires", String(seconds)],
      ["X-Amz-SignedHeaders", "host"],
    ];
    const signature = await this.signature("GET", path, canonicalQuery(signedQuery), all, UNSIGNED, time);
    return target(path, canonicalQuery([...signedQuery, ["X-Amz-Signature", signature]]));
  }

  private async signature(
    method: string,
    path: string,
    query: string,
    headers: Record<string, string>,
    bodyHash: string,
    time: string,
  ): Promise<string> {
    const lines = Object.entries(headers)
      .map(([name, value]) => `${name.toLowerCase()}:${value.trim()}\n`)
      .sort();
    const canonical = [method, path, query, lines.join(""), signedNames(headers), bodyHash].join("\n");
    const toSign = ["AWS4-HMAC-SHA256", time, scope(time), await sha256Hex(text.encode(canonical))].join("\n");
    return hex(await hmac(await this.keyOf(time.slice(0, 8)), toSign));
  }

  /** The key that signs on a day, which is the same for all requests. */
  private async keyOf(day: string): Promise<CryptoKey> {
    if (this.today?.day !== day) {
      let key = this.secret;
      for (const part of [day, REGION, SERVICE, "aws4_request"]) {
        key = await hmacKey(await hmac(key, part));
      }
      this.today = { day, key };
    }
    return this.today.key;
  }
}

/** Encodes everything but unreserved characters, as signatures need it. */
export function encode(value: string): string {
  return encodeURIComponent(value).replace(/[!'()*]/g, (c) => "%" + c.charCodeAt(0).toString(16).toUpperCase());
}

/** The path of an object: each part of the key is encoded. */
export function objectPath(bucket: string, key: string): string {
  return "/" + encode(bucket) + "/" + key.split("/").map(encode).join("/");
}

function target(path: string, query: string): string {
  return query === "" ? path : path + "?" + query;
}

function canonicalQuery(query: [string, string][]): string {
  return query
    .map(([name, value]) => encode(name) + "=" + encode(value))
    .sort()
    .join("&");
}

function signedNames(headers: Record<string, string>): string {
  return Object.keys(headers)
    .map((name) => name.toLowerCase())
    .sort()
    .join(";");
}

function scope(time: string): string {
  return `${time.slice(0, 8)}/${REGION}/${SERVICE}/aws4_request`;
}

function timestamp(now: Date): string {
  return now.toISOString().replace(/[-:]|\.\d{3}/g, "");
}

function hmacKey(bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

async function hmac(key: CryptoKey, value: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, text.encode(value)));
}

async function sha256Hex(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
