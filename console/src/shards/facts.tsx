import { useEffect, useRef, useState } from "preact/hooks";
import { bytes, count, plural } from "../format";
import { messageOf } from "../load";
import { Problem } from "../parts/dialog";
import { Table } from "../parts/table";
import { problemsOf, type ProblemKind } from "./problems";
import type { Shard } from "./shard";

/** What the shard of the first sample on the page is: its file, the sizes of its samples, and its problems. */
export function ShardFacts({ shard, bucket }: { shard: Shard; bucket: string }) {
  return (
    <section>
      <h2>
        The shard <code>{shard.key}</code>
      </h2>
      <p>
        {bytes(shard.storedSize)}
        {shard.compression && `, compressed with ${shard.compression}`}.{" "}
        {shard.isIndexed
          ? "It has an index, so any sample is found at once."
          : "It has no index: samples are found by reading the headers in order. sharder index makes one."}
      </p>
      <div class="columns">
        <div>
          <h3>Sizes of its samples{shard.samples === undefined && ", as far as they were read"}</h3>
          <Sizes sizes={shard.sizes()} />
        </div>
        <div>
          <h3>Problems</h3>
          <Problems shard={shard} bucket={bucket} />
        </div>
      </div>
    </section>
  );
}

function Sizes({ sizes }: { sizes: number[] }) {
  const bins = new Map<number, number>();
  for (const size of sizes) {
    const bound = size <= 1 ? size : 2 ** Math.ceil(Math.log2(size));
    bins.set(bound, (bins.get(bound) ?? 0) + 1);
  }
  const rows = [...bins].sort(([a], [b]) => a - b).map(([bound, samples]) => ({ bound, samples }));
  const most = Math.max(1, ...rows.map((row) => row.samples));
  return (
    <Table
      caption="Samples by size"
      columns={[
        { heading: "Up to", cell: (row) => bytes(row.bound) },
        { heading: "Samples", isNumber: true, cell: (row) => count(row.samples) },
        { heading: "Share", cell: (row) => <meter min={0} max={most} value={row.samples} aria-label={count(row.samples)} /> },
      ]}
      rows={rows}
      keyOf={(row) => String(row.bound)}
      empty="No samples were read."
    />
  );
}

function Problems({ shard, bucket }: { shard: Shard; bucket: string }) {
  const [problems, setProblems] = useState<ProblemKind[]>();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const ended = useRef(new AbortController());
  useEffect(() => () => ended.current.abort(), []);
  const look = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      setProblems(await problemsOf(shard, ended.current.signal));
    } catch (e) {
      setFailure(messageOf(e));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {problems === undefined ? (
        <p>
          <button onClick={look} disabled={isBusy}>
            Look for problems
          </button>{" "}
          {isBusy ? "Reading all names…" : "Reads all names of this shard, and no content."}
        </p>
      ) : (
        <Table
          caption="Problems"
          columns={[
            { heading: "Problem", cell: (row) => row.kind },
            { heading: "Times", isNumber: true, cell: (row) => count(row.count) },
            { heading: "Meaning", cell: (row) => row.meaning },
            { heading: "For example", cell: (row) => row.examples.map((example) => <div key={example}>{example}</div>) },
          ]}
          rows={problems}
          keyOf={(row) => row.kind}
          empty={`The names of its ${plural(shard.found, "sample")} show no problem.`}
        />
      )}
      <Problem text={failure} />
      <p class="hint">
        Damage, and what several shards have in common, is found by: <code>sharder lint s3://{bucket}/{shard.key}</code>
      </p>
    </>
  );
}
