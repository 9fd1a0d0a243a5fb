import { RequestError, type Session } from "../session";
import { CompressedParts, compressionOf, type Compression } from "./compressed";
import { sizeOf, type Sample } from "./names";
import { StoredObject, type Ranges } from "./stored";
import { TarWalk } from "./tar";
import { SUFFIX, ShardIndex } from "./tarnidx";

/** Who may not list a bucket is told of a missing object that it may not be read. */
async function findIndex(session: Session, bucket: string, key: string): Promise<StoredObject | undefined> {
  try {
    return await StoredObject.find(session, bucket, key + SUFFIX);
  } catch (e) {
    if (e instanceof RequestError && e.status === 403) {
      return undefined;
    }
    throw e;
  }
}

/** A shard whose samples are found by its index, or, without one, by the headers of the tar. */
export class Shard {
  private constructor(
    private readonly stored: StoredObject,
    readonly compression: Compression | undefined,
    /** The bytes of the uncompressed shard. */
    readonly content: Ranges,
    private readonly finder: ShardIndex | TarWalk,
  ) {}

  /** Opens a shard: reads its first bytes and its index. Throws with the reason if it cannot be shown. */
  static async open(session: Session, bucket: string, key: string): Promise<Shard> {
    const [stored, indexObject] = await Promise.all([
      StoredObject.find(session, bucket, key),
      findIndex(session, bucket, key),
    ]);
    if (stored === undefined) {
      throw new Error(`Bucket ${bucket} has no object ${key}.`);
    }
    const compression = compressionOf(stored.first);
    const indexing = `Make its index with: sharder index s3://${bucket}/${key}`;
    if (indexObject === undefined) {
      if (compression !== undefined) {
        throw new Error(`The shard is compressed with ${compression} and has no index. ${indexing}`);
      }
      return new Shard(stored, undefined, stored, new TarWalk(stored, stored.size));
    }
    const index = await ShardIndex.read(indexObject);
    if (index.storedSize !== stored.size || (compression !== undefined) !== index.restarts.length > 0) {
      throw new Error(
        `The index is of another shard: it is for ${index.storedSize} bytes, and the shard has ${stored.size}.` +
          ` ${indexing} --force`,
      );
    }
    const content =
      compression === undefined ? stored : new CompressedParts(stored, compression, index.restarts, index.shardSize);
    return new Shard(stored, compression, content, index);
  }

  get key(): string {
    return this.stored.key;
  }

  get storedSize(): number {
    return this.stored.size;
  }

  get isIndexed(): boolean {
    return this.finder instanceof ShardIndex;
  }

  /** The number of samples; undefined while the end was not reached. */
  get samples(): number | undefined {
    return this.finder instanceof ShardIndex || this.finder.isAtEnd ? this.found : undefined;
  }

  /** The number of samples that are known. */
  get found(): number {
    const { finder } = this;
    return finder instanceof ShardIndex ? finder.samples : Math.max(0, finder.samples.length - (finder.isAtEnd ? 0 : 1));
  }

  /** The samples from one number up to, and without, another one; fewer where the shard ends. */
  async range(from: number, to: number, signal?: AbortSignal): Promise<Sample[]> {
    const { finder } = this;
    if (finder instanceof ShardIndex) {
      return finder.range(Math.min(from, finder.samples), Math.min(to, finder.samples));
    }
    await finder.reach(to, signal);
    return finder.samples.slice(from, to);
  }

  /** The sizes of the samples that are known. */
  sizes(): number[] {
    const { finder } = this;
    return finder instanceof ShardIndex ? finder.sizes() : finder.samples.slice(0, this.found).map(sizeOf);
  }
}
