import { crc32c } from "./crc32c";
import { checkedName, split, textOf, type Sample } from "./names";
import type { StoredObject } from "./stored";

/** What the name of a shard's index adds to the shard's. */
export const SUFFIX = ".tarnidx";

const MAGIC = [0x89, 0x54, 0x41, 0x52, 0x4e, 0x49, 0x44, 0x58];
const HEADER = 96;
const ENTRY = 24;
const MEMBER = 32;
const SECTIONS_MAX = 64;
const TABLE_BYTES_MAX = 512 << 20;
const COMPRESSED = 1;

/** Where a compressed shard can be entered. */
export interface Restart {
  /** In the uncompressed shard. */
  offset: number;
  /** In the stored shard. */
  stored: number;
}

/** The index of a shard, as docs/DATASET_FORMAT.md describes it. Names are read for the samples that are shown. */
export class ShardIndex {
  private constructor(
    private readonly object: StoredObject,
    private readonly names: { offset: number; length: number },
    private readonly firsts: DataView,
    private readonly members: DataView,
    /** Of the uncompressed shard. */
    readonly shardSize: number,
    /** Of the file; differs from shardSize if the shard is compressed. */
    readonly storedSize: number,
    readonly restarts: Restart[],
  ) {}

  /** Reads the header and the tables. Throws with the reason if they are damaged. */
  static async read(object: StoredObject): Promise<ShardIndex> {
    const damaged = (reason: string) =>
      new Error(`The index ${object.key} is damaged: ${reason}. Make it again with: sharder index --force SHARD`);
    const start = object.first;
    if (start.length < HEADER || MAGIC.some((byte, i) => start[i] !== byte)) {
      throw damaged("it does not begin with the magic bytes of an index");
    }
    const header = view(start);
    const version = header.getUint32(8, true);
    const features = header.getUint32(12, true);
    if (version !== 1 || (features & ~COMPRESSED) !== 0) {
      throw new Error(`The index ${object.key} has version ${version} and features ${features}; this page reads version 1.`);
    }
    const sections = header.getUint32(80, true);
    const length = HEADER + ENTRY * sections;
    if (sections > SECTIONS_MAX || length > start.length || long(header, 16) !== object.size) {
      throw damaged("its length does not match");
    }
    const checked = start.slice(0, length);
    checked.fill(0, 84, 88);
    if (crc32c(checked) !== header.getUint32(84, true)) {
      throw damaged("the checksum of its header does not match");
    }
    const section = (number: number) => {
      for (let at = HEADER; at < length; at += ENTRY) {
        if (header.getUint32(at, true) === number) {
          return { crc: header.getUint32(at + 4, true), offset: long(header, at + 8), length: long(header, at + 16) };
        }
      }
      throw damaged(`section ${number} is missing`);
    };
    const table = async (number: number) => {
      const place = section(number);
      if (place.length > TABLE_BYTES_MAX) {
        throw new Error(`A table of the index ${object.key} has ${place.length} bytes; this page reads ${TABLE_BYTES_MAX} at most.`);
      }
      const bytes = await object.read(place.offset, place.offset + place.length);
      if (crc32c(bytes) !== place.crc) {
        throw damaged(`the checksum of section ${number} does not match`);
      }
      return view(bytes);
    };
    const [firsts, members] = await Promise.all([table(1), table(2)]);
    if (firsts.byteLength !== 4 * (long(header, 64) + 1) || members.byteLength !== MEMBER * long(header, 72)) {
      throw damaged("its tables do not have the lengths that the header states");
    }
    if (!ascends(firsts, members.byteLength / MEMBER)) {
      throw damaged("its samples do not have their members in order");
    }
    const shardSize = long(header, 24);
    const restarts = (features & COMPRESSED) !== 0 ? await table(5) : undefined;
    if (restarts !== undefined && (restarts.byteLength < 32 || restarts.byteLength % 16 !== 0)) {
      throw damaged("its restarts do not fill their section");
    }
    return new ShardIndex(
      object,
      section(3),
      firsts,
      members,
      shardSize,
      restarts === undefined ? shardSize : long(restarts, 8),
      restarts === undefined ? [] : restartsOf(restarts),
    );
  }

  get samples(): number {
    return this.firsts.byteLength / 4 - 1;
  }

  /** The sizes of all samples. */
  sizes(): number[] {
    return Array.from({ length: this.samples }, (_, sample) => {
      let size = 0;
      for (let member = this.first(sample); member < this.first(sample + 1); member++) {
        size += long(this.members, member * MEMBER + 8);
      }
      return size;
    });
  }

  /** The samples from one number up to, and without, another one; one read. */
  async range(from: number, to: number): Promise<Sample[]> {
    const first = this.first(from);
    const last = this.first(to);
    if (first === last) {
      return [];
    }
    const start = this.nameAt(first).from;
    const names = await this.object.read(this.names.offset + start, this.names.offset + this.nameAt(last - 1).to);
    return Array.from({ length: to - from }, (_, i) => {
      const sample: Sample = { key: "", members: [] };
      for (let member = this.first(from + i); member < this.first(from + i + 1); member++) {
        const place = this.nameAt(member);
        const name = checkedName(textOf(names.subarray(place.from - start, place.to - start)), place.from);
        const parts = split(name);
        sample.key = parts?.key ?? name;
        sample.members.push({
          name,
          extension: parts?.extension ?? "",
          offset: long(this.members, member * MEMBER),
          size: long(this.members, member * MEMBER + 8),
        });
      }
      return sample;
    });
  }

  private first(sample: number): number {
    return this.firsts.getUint32(sample * 4, true);
  }

  private nameAt(member: number): { from: number; to: number } {
    const from = this.members.getUint32(member * MEMBER + 20, true);
    const to = from + this.members.getUint32(member * MEMBER + 24, true);
    if (to > this.names.length) {
      throw new Error(`The index ${this.object.key} is damaged: the name of member ${member} is not in it.`);
    }
    return { from, to };
  }
}

/** Whether the numbers begin with 0, ascend, and end with the number of members. */
function ascends(firsts: DataView, members: number): boolean {
  let last = 0;
  for (let at = 0; at < firsts.byteLength; at += 4) {
    const first = firsts.getUint32(at, true);
    if (first < last || (at === 0 && first !== 0)) {
      return false;
    }
    last = first;
  }
  return last === members;
}

function restartsOf(section: DataView): Restart[] {
  const restarts: Restart[] = [];
  for (let at = 16; at < section.byteLength; at += 16) {
    restarts.push({ offset: long(section, at), stored: long(section, at + 8) });
  }
  return restarts;
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function long(bytes: DataView, at: number): number {
  return Number(bytes.getBigUint64(at, true));
}
