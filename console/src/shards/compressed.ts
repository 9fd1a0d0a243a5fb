import type { Restart } from "./tarnidx";
import type { Ranges, StoredObject } from "./stored";

const PARTS_KEPT = 4;
/** The sharder makes parts of 4 MiB, and longer ones for long samples. */
const PART_BYTES_MAX = 64 << 20;

/** How a shard is compressed, by its first bytes. */
export type Compression = "gzip" | "zstd" | "xz" | "bzip2";

/** The compression of a file; undefined if it is a plain archive. */
export function compressionOf(first: Uint8Array): Compression | undefined {
  const known: [Compression, number[]][] = [
    ["gzip", [0x1f, 0x8b]],
    ["zstd", [0x28, 0xb5, 0x2f, 0xfd]],
    ["xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
    ["bzip2", [0x42, 0x5a, 0x68]],
  ];
  return known.find(([, magic]) => magic.every((byte, i) => first[i] === byte))?.[0];
}

/** The uncompressed bytes of a shard whose parts are compressed each for itself. The last parts stay in memory. */
export class CompressedParts implements Ranges {
  private readonly parts = new Map<number, Promise<Uint8Array>>();
  private last: Promise<Uint8Array> = Promise.resolve(new Uint8Array());

  constructor(
    private readonly stored: StoredObject,
    private readonly compression: Compression,
    private readonly restarts: Restart[],
    private readonly size: number,
  ) {}

  async read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
    const result = new Uint8Array(to - from);
    for (let number = this.partAt(from); number < this.restarts.length && this.offset(number) < to; number++) {
      const part = await this.part(number);
      const begin = Math.max(0, from - this.offset(number));
      const end = Math.min(part.length, to - this.offset(number));
      result.set(part.subarray(begin, end), this.offset(number) + begin - from);
    }
    return result;
  }

  private offset(number: number): number {
    return this.restarts[number]?.offset ?? this.size;
  }

  private partAt(offset: number): number {
    return Math.max(0, this.restarts.findLastIndex((restart) => restart.offset <= offset));
  }

  private part(number: number): Promise<Uint8Array> {
    const kept = this.parts.get(number);
    this.parts.delete(number);
    // One at a time, so that a page of samples does not hold the parts of all of them.
    const part = kept ?? (this.last = this.last.then(() => this.decompress(number), () => this.decompress(number)));
    this.parts.set(number, part);
    if (kept === undefined) {
      part.catch(() => this.parts.delete(number));
    }
    if (this.parts.size > PARTS_KEPT) {
      this.parts.delete(this.parts.keys().next().value!);
    }
    return part;
  }

  private async decompress(number: number): Promise<Uint8Array> {
    const from = this.restarts[number]!.stored;
    const to = this.restarts[number + 1]?.stored ?? this.stored.size;
    const length = this.offset(number + 1) - this.offset(number);
    if (!(to > from) || to - from > PART_BYTES_MAX || !(length >= 0) || length > PART_BYTES_MAX || !["gzip", "zstd"].includes(this.compression)) {
      throw new Error(
        `The shard is compressed with ${this.compression} in parts that this page cannot read singly.` +
          " Pack it again with: sharder reshard --compress zstd",
      );
    }
    const bytes = await this.stored.read(from, to);
    const part = this.compression === "gzip" ? await gunzip(bytes, length) : await unzstd(bytes, length);
    if (part.length !== length) {
      throw new Error(`A part of the shard has ${part.length} bytes uncompressed, and ${length} by the index.`);
    }
    return part;
  }
}

/** What was decompressed so far. Throws at once if it is more than the index says. */
class Collected {
  private readonly bytes: Uint8Array;
  private length = 0;

  constructor(private readonly expected: number) {
    this.bytes = new Uint8Array(expected);
  }

  add(chunk: Uint8Array): void {
    if (this.length + chunk.length > this.expected) {
      throw new Error(`A part of the shard has more bytes uncompressed than the ${this.expected} of the index.`);
    }
    this.bytes.set(chunk, this.length);
    this.length += chunk.length;
  }

  all(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }
}

async function gunzip(bytes: Uint8Array<ArrayBuffer>, expected: number): Promise<Uint8Array> {
  const collected = new Collected(expected);
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    collected.add(next.value);
  }
  return collected.all();
}

async function unzstd(bytes: Uint8Array, expected: number): Promise<Uint8Array> {
  const { Decompress } = await import("fzstd");
  const collected = new Collected(expected);
  new Decompress((chunk) => collected.add(chunk)).push(bytes, true);
  return collected.all();
}
