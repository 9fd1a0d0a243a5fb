/** A file of a sample. */
export interface Member {
  name: string;
  /** In lower case, without the dot before it. */
  extension: string;
  /** Where its data begins in the uncompressed shard. */
  offset: number;
  size: number;
}

/** Consecutive members of one key. */
export interface Sample {
  key: string;
  members: Member[];
}

/** Splits a member's name into key and extension, as WebDataset does; undefined if it belongs to no sample. */
export function split(name: string): { key: string; extension: string } | undefined {
  const parts = /^__[^/]*__($|\/)/.test(name) ? null : /^((?:[^\n]*\/|)[^.]+)[.]([^/]*)$/.exec(name);
  return parts === null ? undefined : { key: parts[1]!, extension: parts[2]!.toLowerCase() };
}

/** The sizes of a sample's members, added up. */
export function sizeOf(sample: Sample): number {
  return sample.members.reduce((sum, member) => sum + member.size, 0);
}

/** Longer names are no names of files. */
const NAME_MAX = 4096;

/** Throws if a name is longer than this page splits; at: where it stands. */
export function checkedName(name: string, at: number): string {
  if (name.length > NAME_MAX) {
    throw new Error(`The name at byte ${at} has ${name.length} characters; this page shows names of ${NAME_MAX} at most.`);
  }
  return name;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A name as text. Bytes that are not UTF-8 become U+FFFD. */
export function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
