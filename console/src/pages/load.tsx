import { useMemo } from "preact/hooks";
import type { PageProperties } from "../app";
import { bytes, count, duration, percent } from "../format";
import { useLoaded } from "../load";
import { Chart, type Line } from "../parts/chart";
import { Problem } from "../parts/dialog";
import { HeatMap } from "../parts/heatmap";
import { Table } from "../parts/table";
import { link } from "../route";
import type { components } from "../schema";
import type { Answer } from "../session";
import { encode } from "../signing";

type Profile = Answer<"/api/v1/profile", "get">;
type Span = components["schemas"]["ProfileSpan"];
type Point = components["schemas"]["ProfilePoint"];

const EVERY_MS = 5000;
const SPANS = { "5m": "5 minutes", "1h": "hour", "24h": "day" };

/** What the requests of this gateway are: of all buckets, or of one. */
export function LoadPage({ session, parameters }: PageProperties) {
  const bucket = parameters.get("bucket") ?? "";
  const isDay = parameters.get("span") === "24h";
  const path = bucket === "" ? "/profile" : "/profile/" + encode(bucket);
  const { value, problem } = useLoaded(() => session.admin<Profile>("GET", path), path, EVERY_MS);
  const here: Record<string, string> = bucket === "" ? {} : { bucket };
  return (
    <>
      <h1>Load{bucket !== "" && ` of bucket ${bucket}`}</h1>
      <nav class="tabs" aria-label="Time span">
        <a href={link("load", here)} aria-current={isDay ? undefined : "page"}>
          Last hour
        </a>
        <a href={link("load", { ...here, span: "24h" })} aria-current={isDay ? "page" : undefined}>
          Last day
        </a>
        {bucket !== "" && <a href={link("load")}>All buckets</a>}
      </nav>
      <Problem text={problem} />
      {value && <Shown profile={value} isDay={isDay} />}
    </>
  );
}

function Shown({ profile, isDay }: { profile: Profile; isDay: boolean }) {
  const points = isDay ? profile.day : profile.minutes;
  const span = profile.spans[isDay ? 2 : 1]!;
  const all = profile.buckets.reduce((sum, bucket) => sum + bucket.requests, 0);
  return (
    <>
      <Table
        caption="Requests"
        columns={[
          { heading: "Last", cell: (row: Span) => SPANS[row.name] },
          { heading: "Requests", isNumber: true, cell: (row) => count(requests(row)) },
          { heading: "Reads", isNumber: true, cell: (row) => percent(row.requests.read / requests(row)) },
          { heading: "Writes", isNumber: true, cell: (row) => percent(row.requests.write / requests(row)) },
          { heading: "Metadata", isNumber: true, cell: (row) => percent(row.requests.metadata / requests(row)) },
          { heading: "Errors", isNumber: true, cell: (row) => count(row.client_errors + row.server_errors) },
          { heading: "Requests/s", isNumber: true, cell: (row) => rate(row.requests_per_second) },
          { heading: "Busiest 10 s", isNumber: true, cell: (row) => rate(row.requests_per_second_max) },
          { heading: "Bytes/s", isNumber: true, cell: (row) => bytes(row.bytes_per_second) },
          { heading: "Busiest 10 s, bytes/s", isNumber: true, cell: (row) => bytes(row.bytes_per_second_max) },
          { heading: "p50", isNumber: true, cell: (row) => duration(row.all_ms.p50) },
          { heading: "p99", isNumber: true, cell: (row) => duration(row.all_ms.p99) },
          { heading: "Longest", isNumber: true, cell: (row) => duration(row.all_ms.max) },
        ]}
        rows={profile.spans}
        keyOf={(row) => row.name}
        empty=""
      />
      <Charts points={points} />
      <div class="columns">
        <section>
          <h2>Bytes moved by a read or write</h2>
          <Sizes span={span} />
        </section>
        <section>
          <h2>Buckets, last hour</h2>
          <Table
            caption="Buckets by requests in the last hour"
            columns={[
              { heading: "Bucket", cell: (row) => <a href={link("load", { bucket: row.bucket })}>{row.bucket}</a> },
              { heading: "Share", isNumber: true, cell: (row) => percent(row.requests / all) },
              { heading: "Requests", isNumber: true, cell: (row) => count(row.requests) },
              { heading: "Bytes", isNumber: true, cell: (row) => bytes(row.bytes) },
              { heading: "Errors", isNumber: true, cell: (row) => count(row.errors) },
            ]}
            rows={profile.buckets}
            keyOf={(row) => row.bucket}
            empty="No bucket was used in the last hour."
          />
        </section>
        <section>
          <h2>Prefixes, last hour</h2>
          <Table
            caption="Prefixes by requests in the last hour"
            columns={[
              { heading: "Prefix", cell: (row) => `${row.bucket}/${row.prefix}` },
              { heading: "Requests, about", isNumber: true, cell: (row) => count(row.requests) },
            ]}
            rows={profile.prefixes}
            keyOf={(row) => row.bucket + "/" + row.prefix}
            empty="No key was used in the last hour."
          />
        </section>
      </div>
      <p class="hint">Recorded by the gateway that serves this page, since its start.</p>
    </>
  );
}

function Charts({ points }: { points: Point[] }) {
  const times = useMemo(() => points.map((point) => point.start_ms), [points]);
  const line = (name: string, kind: Line["kind"], of: (point: Point) => number): Line => ({ name, kind, values: points.map(of) });
  const lines = useMemo(
    () => ({
      requests: [
        line("mean", "mean", (point) => point.requests_per_second),
        line("busiest 10 s", "max", (point) => point.requests_per_second_max),
      ],
      bytes: [
        line("mean", "mean", (point) => point.bytes_per_second),
        line("busiest 10 s", "max", (point) => point.bytes_per_second_max),
      ],
      times: [
        line("p50", "mean", (point) => point.all_ms.p50),
        line("p99", "other", (point) => point.all_ms.p99),
        line("longest", "max", (point) => point.all_ms.max),
      ],
      errors: [line("errors", "max", (point) => point.errors)],
    }),
    [points],
  );
  const heat = useMemo(() => points.map((point) => ({ startMs: point.start_ms, bins: point.times })), [points]);
  return (
    <div class="charts">
      <Chart title="Requests a second" times={times} lines={lines.requests} format={rate} />
      <Chart title="Bytes a second" times={times} lines={lines.bytes} format={bytes} />
      <Chart title="Time of requests" times={times} lines={lines.times} format={duration} />
      <Chart title="Errors" times={times} lines={lines.errors} format={count} />
      <HeatMap title="Requests by their time" columns={heat} />
    </div>
  );
}

function Sizes({ span }: { span: Span }) {
  const most = Math.max(1, ...span.sizes.map((bin) => bin.requests));
  return (
    <Table
      caption="Reads and writes by size"
      columns={[
        { heading: "Up to", cell: (bin) => (bin.to === null ? "more" : bytes(bin.to)) },
        { heading: "Requests", isNumber: true, cell: (bin) => count(bin.requests) },
        { heading: "Share", cell: (bin) => <meter min={0} max={most} value={bin.requests} aria-label={count(bin.requests)} /> },
      ]}
      rows={span.sizes}
      keyOf={(bin) => String(bin.to)}
      empty="No bytes were moved."
    />
  );
}

function requests(span: Span): number {
  const kinds = span.requests;
  return kinds.read + kinds.write + kinds.delete + kinds.metadata;
}

function rate(value: number): string {
  return value < 100 ? value.toFixed(1) : count(Math.round(value));
}
