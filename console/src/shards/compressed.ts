import type { Restart } from "./tarnidx";
import type { Ranges, StoredObject } from "./stored";

const PARTS_KEPT = 4;
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
    const part = kept ?? this.decompress(number);
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
    if (to - from > PART_BYTES_MAX || length > 4 * PART_BYTES_MAX || !["gzip", "zstd"].includes(this.compression)) {
      throw new Error(
        `The shard is compressed with ${this.compression} in parts that this page cannot read singly.` +
          " Pack it again with: sharder reshard --compress zstd",
      );
    }
    const bytes = await this.stored.read(from, to);
    const part = this.compression === "gzip" ? await gunzip(bytes) : (await import("fzstd")).decompress(bytes);
    if (part.length !== length) {
      throw new Error(`A part of the shard has ${part.length} bytes uncompressed, and ${length} by the index.`);
    }
    return part;
  }
}

async function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
