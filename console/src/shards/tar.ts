import { split, textOf, type Member, type Sample } from "./names";
import type { Ranges } from "./stored";

const BLOCK = 512;
/** Headers are read in pieces of this size, so that neighbouring small members need one request. */
const PIECE = 16 << 10;
const EXTENDED_MAX = 1 << 20;

/** Finds the samples of a tar archive one after the other by its headers alone. */
export class TarWalk {
  /** What was found so far. The last sample may have more members until the end is reached. */
  readonly samples: Sample[] = [];
  isAtEnd = false;
  private position = 0;
  private piece = { from: 0, bytes: new Uint8Array() };
  private readonly global = new Map<string, string>();
  private walking: Promise<void> = Promise.resolve();

  constructor(
    private readonly archive: Ranges,
    private readonly size: number,
  ) {}

  /** Walks until so many samples are whole, or to the end. */
  reach(samples: number, signal?: AbortSignal): Promise<void> {
    const walk = async () => {
      while (!this.isAtEnd && this.samples.length <= samples) {
        signal?.throwIfAborted();
        await this.step();
      }
    };
    return (this.walking = this.walking.then(walk, walk));
  }

  private async step(): Promise<void> {
    const member = await this.next();
    if (member === undefined) {
      this.isAtEnd = true;
      return;
    }
    const name = split(member.name);
    if (name === undefined) {
      return;
    }
    const found: Member = { ...member, extension: name.extension };
    const last = this.samples.at(-1);
    if (last?.key === name.key) {
      last.members.push(found);
    } else {
      this.samples.push({ key: name.key, members: [found] });
    }
  }

  /** The next regular member; undefined at the end. */
  private async next(): Promise<Omit<Member, "extension"> | undefined> {
    const local = new Map<string, string>();
    let longName: string | undefined;
    for (;;) {
      const at = this.position;
      if (at + BLOCK > this.size) {
        throw new Error(`The archive is cut short at byte ${at}: its end-of-archive blocks are missing.`);
      }
      const header = await this.bytes(at, BLOCK);
      if (header.every((byte) => byte === 0)) {
        return undefined;
      }
      checkSum(header, at);
      const type = String.fromCharCode(header[156]!);
      const own = { name: longName ?? nameOf(header), size: numberOf(header.subarray(124, 136), at) };
      this.position = at + BLOCK;
      if ("xXgLK".includes(type)) {
        const content = await this.extended(own.size, at);
        if (type === "L") {
          longName = untilNul(content);
        } else if (type !== "K") {
          parsePax(content, type === "g" ? this.global : local, at);
        }
        continue;
      }
      const pax = (field: string) => local.get(field) ?? this.global.get(field);
      if (type === "S" || [...local.keys(), ...this.global.keys()].some((field) => field.startsWith("GNU.sparse."))) {
        throw new Error(`Member ${own.name} is sparse. Shards have no sparse members.`);
      }
      const hasData = !"123456".includes(type);
      const size = hasData ? Number(pax("size") ?? own.size) : 0;
      const name = pax("path")?.replace(/\/+$/, "") ?? own.name;
      const offset = this.position;
      this.position += padded(size);
      if ("0\x007".includes(type) && !(type === "\0" && own.name.endsWith("/"))) {
        if (offset + size > this.size) {
          throw new Error(`The archive is cut short: member ${name} needs ${size} bytes from byte ${offset}.`);
        }
        return { name, offset, size };
      }
    }
  }

  private async extended(size: number, at: number): Promise<Uint8Array> {
    if (size > EXTENDED_MAX) {
      throw new Error(`The extended header at byte ${at} has ${size} bytes; at most ${EXTENDED_MAX} go.`);
    }
    const content = await this.bytes(this.position, size);
    this.position += padded(size);
    return content;
  }

  private async bytes(from: number, length: number): Promise<Uint8Array> {
    const { piece } = this;
    if (from < piece.from || from + length > piece.from + piece.bytes.length) {
      const to = Math.min(this.size, from + Math.max(length, PIECE));
      this.piece = { from, bytes: await this.archive.read(from, to) };
    }
    const start = from - this.piece.from;
    return this.piece.bytes.subarray(start, start + length);
  }
}

function padded(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK;
}

function checkSum(header: Uint8Array, at: number): void {
  const stated = parseInt(untilNul(header.subarray(148, 156)).trim(), 8);
  let sum = 8 * 0x20;
  for (let i = 0; i < BLOCK; i++) {
    sum += i >= 148 && i < 156 ? 0 : header[i]!;
  }
  if (sum !== stated) {
    throw new Error(`There is no tar header at byte ${at}: the checksum of its 512 bytes does not match.`);
  }
}

function nameOf(header: Uint8Array): string {
  const name = untilNul(header.subarray(0, 100));
  const isPosix = textOf(header.subarray(257, 263)) === "ustar\0";
  const prefix = isPosix ? untilNul(header.subarray(345, 500)) : "";
  return prefix === "" ? name : prefix + "/" + name;
}

/** Octal digits or, with the highest bit, a number in base 256. */
function numberOf(field: Uint8Array, at: number): number {
  const value =
    field[0]! & 0x80
      ? field.reduce((number, byte, i) => number * 256 + (i === 0 ? byte & 0x7f : byte), 0)
      : parseInt(untilNul(field).trim() || "0", 8);
  if (!Number.isSafeInteger(value)) {
    throw new Error(`The size in the header at byte ${at} is not a number.`);
  }
  return value;
}

function untilNul(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return textOf(end < 0 ? bytes : bytes.subarray(0, end));
}

/** Records such as "20 path=images/1.jpg\n", each with its own length in front. */
function parsePax(content: Uint8Array, target: Map<string, string>, at: number): void {
  for (let from = 0; from < content.length; ) {
    const length = parseInt(textOf(content.subarray(from, from + 20)), 10);
    const record = textOf(content.subarray(from, from + length));
    const parts = /^\d+ ([^=]+)=([^]*)\n$/.exec(record);
    if (!(length > 0) || parts === null) {
      throw new Error(`The PAX header at byte ${at} has a record that is malformed.`);
    }
    target.set(parts[1]!, parts[2]!);
    from += length;
  }
}
