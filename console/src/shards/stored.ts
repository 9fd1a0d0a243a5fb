import { objectPath } from "../signing";
import { RequestError, type Session } from "../session";

/** What the first request of an object reads: enough for the header of a tar, of an index, or a short file. */
const FIRST_BYTES = 4096;

/** Something that is read by ranges of bytes. */
export interface Ranges {
  /** The bytes from one offset up to, and without, another one. */
  read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** One state of an object. A read fails if the object was replaced since it was opened. */
export class StoredObject implements Ranges {
  private constructor(
    private readonly session: Session,
    private readonly bucket: string,
    readonly key: string,
    readonly size: number,
    private readonly etag: string,
    readonly first: Uint8Array<ArrayBuffer>,
  ) {}

  /** Opens an object; undefined if there is none. */
  static async find(session: Session, bucket: string, key: string): Promise<StoredObject | undefined> {
    try {
      const response = await session.s3({ method: "GET", path: objectPath(bucket, key), headers: rangeOf(0, FIRST_BYTES) });
      const size = Number(/\/(\d+)$/.exec(response.headers.get("content-range") ?? "")?.[1]);
      const first = new Uint8Array(await response.arrayBuffer());
      return new StoredObject(session, bucket, key, size, response.headers.get("etag") ?? "", first);
    } catch (e) {
      if (e instanceof RequestError && e.code === "NoSuchKey") {
        return undefined;
      }
      if (e instanceof RequestError && e.status === 416) {
        return new StoredObject(session, bucket, key, 0, "", new Uint8Array());
      }
      throw e;
    }
  }

  async read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
    if (to > this.size) {
      throw new Error(`${this.key} is cut short: it has ${this.size} bytes, and bytes up to ${to} are needed.`);
    }
    if (to <= this.first.length || from >= to) {
      return this.first.slice(from, to);
    }
    const headers = { ...rangeOf(from, to), "if-match": this.etag };
    try {
      const response = await this.session.s3({ method: "GET", path: objectPath(this.bucket, this.key), headers });
      return new Uint8Array(await response.arrayBuffer());
    } catch (e) {
      if (e instanceof RequestError && e.status === 412) {
        throw new Error(`${this.key} was replaced since it was opened. Open it again.`);
      }
      throw e;
    }
  }
}

function rangeOf(from: number, to: number): Record<string, string> {
  return { range: `bytes=${from}-${to - 1}` };
}
