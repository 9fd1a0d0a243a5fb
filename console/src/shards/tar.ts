import { checkedName, split, textOf, type Member, type Sample } from "./names";
import type { Ranges } from "./stored";

const BLOCK = 512;
/** Headers are read in pieces of this size, so that neighbouring small members need one request. */
const PIECE = 16 << 10;
const EXTENDED_MAX = 1 << 20;
/** So many samples are kept at most; an index has no such limit. */
const SAMPLES_MAX = 1_000_000;

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
        if (this.samples.length === SAMPLES_MAX) {
          throw new Error(`This page walks over ${SAMPLES_MAX} samples at most. Make an index with: sharder index SHARD`);
        }
        await this.step(signal);
      }
    };
    return (this.walking = this.walking.then(walk, walk));
  }

  private async step(signal?: AbortSignal): Promise<void> {
    const member = await this.next(signal);
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
  private async next(signal?: AbortSignal): Promise<Omit<Member, "extension"> | undefined> {
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
      const own = { name: longName ?? nameOf(header), size: numberIn(header.subarray(124, 136), at) };
      this.position = at + BLOCK;
      if ("xXgLK".includes(type)) {
        const content = await this.extended(own.size, at);
        if (type === "L") {
          longName = checkedName(untilNul(content), at);
        } else if (type !== "K") {
          parsePax(content, type === "g" ? this.global : local, at);
        }
        signal?.throwIfAborted();
        continue;
      }
      const pax = (field: string) => local.get(field) ?? this.global.get(field);
      if (type === "S" || [...local.keys(), ...this.global.keys()].some((field) => field.startsWith("GNU.sparse."))) {
        throw new Error(`Member ${own.name} is sparse. Shards have no sparse members.`);
      }
      const hasData = !"123456".includes(type);
      const size = hasData ? paxSize(pax("size"), at) ?? own.size : 0;
      const name = withoutLastSlashes(pax("path")) ?? own.name;
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
function numberIn(field: Uint8Array, at: number): number {
  let value: number;
  if (field[0]! & 0x80) {
    value = field.reduce((number, byte, i) => number * 256 + (i === 0 ? byte & 0x7f : byte), 0);
  } else {
    const digits = untilNul(field).trim();
    value = /^[0-7]*$/.test(digits) ? parseInt(digits || "0", 8) : NaN;
  }
  if (!Number.isSafeInteger(value)) {
    throw new Error(`The size in the header at byte ${at} is neither octal digits nor a positive number.`);
  }
  return value;
}

function paxSize(text: string | undefined, at: number): number | undefined {
  if (text !== undefined && !(/^\d+$/.test(text) && Number.isSafeInteger(Number(text)))) {
    throw new Error(`The PAX size before byte ${at} is not a count of bytes.`);
  }
  return text === undefined ? undefined : Number(text);
}

function withoutLastSlashes(path: string | undefined): string | undefined {
  let end = path?.length ?? 0;
  while (end > 0 && path![end - 1] === "/") {
    end--;
  }
  return path?.slice(0, end);
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
    target.set(parts[1]!, parts[1] === "path" ? checkedName(parts[2]!, at) : parts[2]!);
    from += length;
  }
}
