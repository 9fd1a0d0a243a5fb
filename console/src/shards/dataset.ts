import type { Session } from "../session";
import type { Sample } from "./names";
import { Shard } from "./shard";
import { StoredObject } from "./stored";

const MANIFEST = "dataset.json";
const SHARDS_KEPT = 4;
const JSON_BYTES_MAX = 64 << 20;
const CLASSES_MAX = 1 << 20;
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

/** What the page needs of a manifest. */
interface Manifest {
  samples: number;
  size: number;
  shards: { name: string; samples: number }[];
  classes: string | undefined;
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
    const manifest = checked(await json(session, bucket, place), place);
    let first = 0;
    const entries = manifest.shards.map((shard) => {
      const entry = { key: folder + shard.name, first };
      first += shard.samples;
      return entry;
    });
    const classes = manifest.classes === undefined ? [] : namesOf(await json(session, bucket, folder + manifest.classes));
    return new Dataset(session, bucket, entries, manifest, classes);
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
      this.checkCount(entry, shard);
      const begin = from + found.length - first;
      const end = Math.min(begin + count - found.length, (this.entries[entry + 1]?.first ?? Infinity) - first);
      const samples = await shard.range(begin, end, signal);
      samples.forEach((sample, i) => found.push({ number: first + begin + i, shard, sample }));
    }
    return found;
  }

  /** The numbers of all later samples depend on the counts of the manifest. */
  private checkCount(entry: number, shard: Shard): void {
    const stated = this.manifest?.shards[entry]?.samples;
    if (stated !== undefined && shard.samples !== undefined && shard.samples !== stated) {
      throw new Error(`${shard.key} has ${shard.samples} samples, and ${stated} by the manifest. sharder verify tells more.`);
    }
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

/** Throws with the reason if the document is no manifest that this page reads. */
function checked(document: unknown, place: string): Manifest {
  const given = document as Record<string, unknown> | null;
  if (given?.["format"] !== "tarn-dataset") {
    throw new Error(`${place} is neither a shard (a name such as a.tar or a.tar.gz) nor a manifest that sharder pack wrote.`);
  }
  const required = given["required"];
  if (given["version"] !== 2 || !Array.isArray(required) || required.length > 0) {
    throw new Error(`The manifest has version ${given["version"]} and requires [${required}]; this page reads version 2 without requirements.`);
  }
  const shards: unknown = given["shards"];
  const isShard = (shard: unknown): shard is Manifest["shards"][number] => {
    const { name, samples } = (shard ?? {}) as Record<string, unknown>;
    return typeof name === "string" && isCount(samples);
  };
  const classes = (given["classes"] as { name?: unknown } | undefined)?.name;
  if (!Array.isArray(shards) || shards.length === 0 || !shards.every(isShard) || !isCount(given["samples"]) || !isCount(given["size"])) {
    throw new Error(`${place} is no complete manifest. Its shards must have a name and a count of samples.`);
  }
  return { samples: given["samples"], size: given["size"], shards, classes: typeof classes === "string" ? classes : undefined };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** The names of classes by their numbers. */
function namesOf(document: unknown): string[] {
  const names: string[] = [];
  for (const [name, number] of Object.entries((document ?? {}) as Record<string, unknown>)) {
    if (isCount(number) && number < CLASSES_MAX) {
      names[number] = name;
    }
  }
  return names;
}

async function json(session: Session, bucket: string, key: string): Promise<unknown> {
  const object = await StoredObject.find(session, bucket, key);
  if (object === undefined) {
    throw new Error(`Bucket ${bucket} has no object ${key}.`);
  }
  const wanted = `Open a shard (a name such as a.tar) or the ${MANIFEST} of a data set.`;
  if (object.size > JSON_BYTES_MAX) {
    throw new Error(`${key} has ${object.size} bytes, and a manifest at most ${JSON_BYTES_MAX}. ${wanted}`);
  }
  const text = new TextDecoder().decode(await object.read(0, object.size));
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${key} is no JSON. ${wanted}`);
  }
}
