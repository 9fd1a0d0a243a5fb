import type { Shard } from "./shard";
import type { Member, Sample } from "./names";

const EXAMPLES_MAX = 3;
const SAMPLES_COMPARED = 5;
const BATCH = 5000;
const READERS_FIELDS = ["__key__", "__url__", "__local_path__", "__bad__"];

/** What sharder lint finds by names, with the reason why it matters. */
const MEANINGS = {
  "no-samples": "a shard without samples leaves the worker that gets it without any",
  "not-adjacent": "the files of a sample do not follow one another; readers make several samples of it",
  "extension-twice": "a sample has an extension twice; WebDataset fails there",
  "case-collision": "keys differ in upper and lower case alone; many file systems do not keep them apart",
  "unicode-collision": "keys look the same but are composed of other characters; macOS does not keep them apart",
  "basename-collision": "samples differ in their folders alone; AIStore drops folders",
  dots: "the name has several dots; WebDataset splits it at the first, AIStore at the last",
  "upper-case-extension": "WebDataset puts it into lower case, HuggingFace datasets and DALI do not",
  "reserved-extension": "readers have a field of this name; WebDataset fails at the member",
  "leads-out": "the name leads out of the folder to which it is unpacked",
  backslash: "Windows takes the backslash for the end of a folder",
  hidden: "the name begins with a dot or two underscores; HuggingFace datasets skips it",
  "empty-extension": "the name ends in its first dot",
  "not-utf8": "the name is not UTF-8; many readers fail",
  blank: "the name has a blank, which DALI's index cannot express",
  uneven: "the first five samples have different extensions; HuggingFace datasets refuses that",
  compressed: "DALI and wids read no compressed shards",
  "no-index": "the shard has no index; sharder index makes it",
};

type Kind = keyof typeof MEANINGS;

/** Something in a shard that readers do not read alike. */
export interface ProblemKind {
  kind: Kind;
  meaning: string;
  count: number;
  /** The first few. */
  examples: string[];
}

/** What the names in a shard show of what sharder lint finds. Reads all names, and no content. */
export async function problemsOf(shard: Shard, signal: AbortSignal): Promise<ProblemKind[]> {
  const found = new Map<Kind, ProblemKind>();
  const add = (kind: Kind, example: string) => {
    const problem = found.get(kind) ?? { kind, meaning: MEANINGS[kind], count: 0, examples: [] };
    found.set(kind, problem);
    problem.count++;
    if (problem.examples.length < EXAMPLES_MAX) {
      problem.examples.push(example);
    }
  };
  const keys: string[] = [];
  const extensionsOfFirst = new Set<string>();
  for (let from = 0; ; from += BATCH) {
    signal.throwIfAborted();
    const samples = await shard.range(from, from + BATCH, signal);
    for (const sample of samples) {
      if (keys.length < SAMPLES_COMPARED) {
        extensionsOfFirst.add(sample.members.map((member) => extensionAsWritten(sample, member)).sort().join("\0"));
      }
      keys.push(sample.key);
      lookAtMembers(sample, add);
    }
    if (samples.length < BATCH) {
      break;
    }
  }
  if (keys.length === 0) {
    add("no-samples", shard.key);
  }
  if (extensionsOfFirst.size > 1) {
    add("uneven", [...extensionsOfFirst].map((extensions) => extensions.replaceAll("\0", ", ")).join("; "));
  }
  if (shard.compression !== undefined) {
    add("compressed", shard.key);
  }
  if (!shard.isIndexed) {
    add("no-index", shard.key);
  }
  lookAtKeys(keys, add);
  return [...found.values()];
}

function lookAtMembers(sample: Sample, add: (kind: Kind, example: string) => void): void {
  const extensions = new Set<string>();
  for (const member of sample.members) {
    const { name } = member;
    const extension = extensionAsWritten(sample, member);
    const base = name.slice(name.lastIndexOf("/") + 1);
    const checks: [Kind, boolean][] = [
      ["not-utf8", name.includes("\ufffd")],
      ["leads-out", /^\/|^[A-Za-z]:|(^|[\\/])\.\.([\\/]|$)/.test(name)],
      ["backslash", name.includes("\\")],
      ["blank", /[ \t-\r]/.test(name)],
      ["hidden", base.startsWith(".") || base.startsWith("__")],
      ["empty-extension", extension === ""],
      ["dots", extension.includes(".")],
      ["reserved-extension", READERS_FIELDS.includes(member.extension)],
      ["upper-case-extension", extension !== member.extension],
      ["extension-twice", extensions.has(member.extension)],
    ];
    extensions.add(member.extension);
    checks.filter(([, isFound]) => isFound).forEach(([kind]) => add(kind, name));
  }
}

function lookAtKeys(keys: string[], add: (kind: Kind, example: string) => void): void {
  compare(keys, (key) => key.normalize("NFC").toLowerCase(), (before, key) => {
    const isSameComposed = before.normalize("NFC") === key.normalize("NFC");
    add(before === key ? "not-adjacent" : isSameComposed ? "unicode-collision" : "case-collision", `${before}, ${key}`);
  });
  compare(keys, (key) => key.slice(key.lastIndexOf("/") + 1), (before, key) => {
    if (before !== key) {
      add("basename-collision", `${before}, ${key}`);
    }
  });
}

/** Calls back with each key that has the same group as an earlier one. */
function compare(keys: string[], groupOf: (key: string) => string, same: (before: string, key: string) => void): void {
  const last = new Map<string, string>();
  for (const key of keys) {
    const group = groupOf(key);
    const before = last.get(group);
    if (before !== undefined) {
      same(before, key);
    }
    last.set(group, key);
  }
}

function extensionAsWritten(sample: Sample, member: Member): string {
  return member.name.slice(sample.key.length + 1);
}
