import type { PageProperties } from "../app";
import { bytes, count, percent, plural } from "../format";
import { useLoaded } from "../load";
import { Problem } from "../parts/dialog";
import { Table } from "../parts/table";
import { Charts } from "../profile/charts";
import { Findings } from "../profile/findings";
import { Spans, type Profile } from "../profile/spans";
import { link } from "../route";
import type { components } from "../schema";
import type { Answer } from "../session";

type Status = Answer<"/api/v1/status", "get">;
type Disk = components["schemas"]["StatusDisk"];

const WORDS = { ok: "The cluster is well.", degraded: "The cluster serves, but something is wrong.", down: "The cluster does not serve." };
const EVERY_MS = 5000;

/** Whether anything is wrong and what to do; then members, disks and what is stored. */
export function OverviewPage({ session }: PageProperties) {
  const { value, problem } = useLoaded(() => session.admin<Status>("GET", "/status"), "status", EVERY_MS);
  const load = useLoaded(() => session.admin<Profile>("GET", "/profile"), "profile", EVERY_MS);
  return (
    <>
      <h1>Overview</h1>
      <Problem text={problem ?? load.problem} />
      {value && <Shown status={value} />}
      {load.value && (
        <section>
          <h2>Load of the last hour</h2>
          <Findings profile={load.value} />
          <Spans spans={load.value.spans} />
          <Charts points={load.value.minutes} />
        </section>
      )}
    </>
  );
}

function Shown({ status }: { status: Status }) {
  const disks = status.targets.flatMap((target) => target.disks.map((disk) => ({ ...disk, target: target.id })));
  return (
    <>
      <section class={"health " + status.health} aria-label="Health" role="status">
        <h2>{WORDS[status.health]}</h2>
        {status.reasons.map((reason) => (
          <p key={reason.problem}>
            {reason.problem} <strong>{reason.remedy}</strong>
          </p>
        ))}
      </section>
      <dl class="figures">
        <Figure name="Capacity" value={bytes(sum(disks, "capacity_bytes"))} note={bytes(sum(disks, "free_bytes")) + " free"} />
        <Figure name="Primary data" value={bytes(sum(disks, "primary_bytes"))} note={plural(status.stored.objects, "object")} />
        <Figure name="Cached data" value={bytes(sum(disks, "cached_bytes"))} note="can be read again from backends" />
        <Figure name="Version" value={status.version} note={`role ${status.role}, map epoch ${status.map_epoch}`} />
      </dl>
      <section>
        <h2>Targets and disks</h2>
        <Table
          caption="Targets and disks"
          columns={[
            { heading: "Disk", cell: (disk) => `${disk.target} / ${disk.id}` },
            ...(disks.some((disk) => disk.folder !== "") ? [{ heading: "Folder", cell: (disk: Disk) => disk.folder }] : []),
            { heading: "State", cell: (disk) => <State word={disk.state} /> },
            { heading: "In use", cell: (disk) => <Use disk={disk} /> },
            { heading: "Primary", isNumber: true, cell: (disk) => bytes(disk.primary_bytes) },
            { heading: "Cached", isNumber: true, cell: (disk) => bytes(disk.cached_bytes) },
            { heading: "Free", isNumber: true, cell: (disk) => bytes(disk.free_bytes) },
          ]}
          rows={disks}
          keyOf={(disk) => disk.target + "/" + disk.id}
          empty="No target has a disk."
        />
        {status.targets
          .filter((target) => target.disks.length === 0)
          .map((target) => (
            <p key={target.id}>
              Target {target.id} {target.address && `at ${target.address}`}: <State word={target.state} />
            </p>
          ))}
      </section>
      <section>
        <h2>Buckets by size</h2>
        <Table
          caption="Buckets by size"
          columns={[
            { heading: "Bucket", cell: (bucket) => <a href={link("bucket", { name: bucket.name })}>{bucket.name}</a> },
            { heading: "Kind", cell: (bucket) => (bucket.cached ? "cached" : "primary") },
            { heading: "Objects", isNumber: true, cell: (bucket) => count(bucket.objects) },
            { heading: "Bytes", isNumber: true, cell: (bucket) => bytes(bucket.bytes) },
            { heading: "Hits by bytes, last hour", isNumber: true, cell: (bucket) => percent(bucket.cache?.last_hour.hit_ratio_by_bytes) },
          ]}
          rows={status.stored.buckets.slice(0, 20)}
          keyOf={(bucket) => bucket.name}
          empty="There is no bucket yet."
        />
      </section>
    </>
  );
}

function Figure({ name, value, note }: { name: string; value: string; note: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <strong>{value}</strong> <small>{note}</small>
      </dd>
    </div>
  );
}

function State({ word }: { word: string }) {
  return <span class={"state " + (/^(ok|in service|serving|reachable)/.test(word) ? "good" : "bad")}>{word}</span>;
}

function Use({ disk }: { disk: Disk }) {
  const used = 1 - disk.free_bytes / Math.max(1, disk.capacity_bytes);
  return <meter min={0} max={1} high={0.9} value={used} aria-label={`${percent(used)} of the disk are in use`} />;
}

function sum(disks: Disk[], field: "capacity_bytes" | "free_bytes" | "primary_bytes" | "cached_bytes"): number {
  return disks.reduce((total, disk) => total + disk[field], 0);
}
