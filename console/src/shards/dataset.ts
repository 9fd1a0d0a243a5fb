import type { Session } from "../session";
import type { Sample } from "./names";
import { Shard } from "./shard";
import { StoredObject } from "./stored";

const MANIFEST = "dataset.json";
const SHARDS_KEPT = 4;
const NAME_OF_SHARD = /\.(tar|tgz|tzst|txz|tbz2|tar\.(gz|zst|xz|bz2))$/;

/** A sample with its number in what was opened. */
export interface NumberedSample {
  number: number;
  shard: Shard;
  sample: Sample;
}

interface Entry {
  key: string;
  /** The number of its first sample. */
  first: number;
}

interface Manifest {
  format: string;
  version: number;
  required: string[];
  samples: number;
  size: number;
  shards: { name: string; samples: number }[];
  classes?: { name: string };
}

/** Whether the name of an object is one of a shard or of a manifest. */
export function isShardOrManifest(key: string): boolean {
  return NAME_OF_SHARD.test(key) || key === MANIFEST || key.endsWith("/" + MANIFEST);
}

/** What was opened: the shards of a manifest, or a single one. */
export class Dataset {
  private readonly shards = new Map<number, Promise<Shard>>();

  private constructor(
    private readonly session: Session,
    private readonly bucket: string,
    private readonly entries: Entry[],
    private readonly manifest: Manifest | undefined,
    /** The names of the classes by their numbers; empty if there are none. */
    readonly classes: string[],
  ) {}

  /** Opens the manifest, or the shard, of this key. */
  static async open(session: Session, bucket: string, key: string): Promise<Dataset> {
    if (NAME_OF_SHARD.test(key)) {
      const single = new Dataset(session, bucket, [{ key, first: 0 }], undefined, []);
      await single.shard(0);
      return single;
    }
    const place = key === "" || key.endsWith("/") ? key + MANIFEST : key;
    const folder = place.slice(0, place.lastIndexOf("/") + 1);
    const manifest = await json<Manifest>(session, bucket, place);
    if (manifest.format !== "tarn-dataset") {
      throw new Error(`${place} is neither a shard (a name such as a.tar or a.tar.gz) nor a manifest that sharder pack wrote.`);
    }
    if (manifest.version !== 2 || manifest.required.length > 0) {
      throw new Error(`The manifest has version ${manifest.version} ${manifest.required.join()}; this page reads version 2.`);
    }
    let first = 0;
    const entries = manifest.shards.map((shard) => {
      const entry = { key: folder + shard.name, first };
      first += shard.samples;
      return entry;
    });
    const classes = manifest.classes && (await json<Record<string, number>>(session, bucket, folder + manifest.classes.name));
    return new Dataset(session, bucket, entries, manifest, Object.keys(classes ?? {}));
  }

  get shardCount(): number {
    return this.entries.length;
  }

  /** The bytes of all shards as they are stored; undefined for a single shard. */
  get size(): number | undefined {
    return this.manifest?.size;
  }

  /** The number of samples by the manifest; undefined for a single shard. */
  get samples(): number | undefined {
    return this.manifest?.samples;
  }

  /** The shard that has a sample, or the last one if there is no such sample. */
  async shardOf(sample: number): Promise<Shard> {
    return this.shard(this.entryOf(sample));
  }

  /** So many samples from a number on; fewer at the end. */
  async range(from: number, count: number, signal?: AbortSignal): Promise<NumberedSample[]> {
    const found: NumberedSample[] = [];
    for (let entry = this.entryOf(from); entry >= 0 && entry < this.entries.length && found.length < count; entry++) {
      const { first } = this.entries[entry]!;
      const shard = await this.shard(entry);
      const begin = from + found.length - first;
      const samples = await shard.range(begin, begin + count - found.length, signal);
      samples.forEach((sample, i) => found.push({ number: first + begin + i, shard, sample }));
    }
    return found;
  }

  private entryOf(sample: number): number {
    return this.entries.findLastIndex((entry) => entry.first <= sample);
  }

  private shard(number: number): Promise<Shard> {
    const kept = this.shards.get(number);
    if (kept !== undefined) {
      return kept;
    }
    const opened = Shard.open(this.session, this.bucket, this.entries[number]!.key);
    this.shards.set(number, opened);
    opened.catch(() => this.shards.delete(number));
    if (this.shards.size > SHARDS_KEPT) {
      this.shards.delete(this.shards.keys().next().value!);
    }
    return opened;
  }
}

async function json<T>(session: Session, bucket: string, key: string): Promise<T> {
  const object = await StoredObject.find(session, bucket, key);
  if (object === undefined) {
    throw new Error(`Bucket ${bucket} has no object ${key}.`);
  }
  const text = new TextDecoder().decode(await object.read(0, object.size));
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new Error(`${key} is no JSON. Open a shard (a name such as a.tar) or the ${MANIFEST} of a data set.`);
  }
}
