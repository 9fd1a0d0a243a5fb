import { useMemo } from "preact/hooks";
import { bytes, count, duration, percent, rate } from "../format";
import { Chart, type Line } from "../parts/chart";
import { HeatMap } from "../parts/heatmap";
import type { Point } from "./spans";

type Kind = Line["kind"];

interface Figure {
  title: string;
  format: (value: number) => string;
  lines: [name: string, kind: Kind, of: (point: Point) => number][];
}

const LOAD: Figure[] = [
  {
    title: "Requests a second",
    format: rate,
    lines: [
      ["mean", "mean", (point) => point.requests_per_second],
      ["busiest 10 s", "max", (point) => point.requests_per_second_max],
    ],
  },
  {
    title: "Bytes a second",
    format: bytes,
    lines: [
      ["mean", "mean", (point) => point.bytes_per_second],
      ["busiest 10 s", "max", (point) => point.bytes_per_second_max],
    ],
  },
  {
    title: "Time of requests",
    format: duration,
    lines: [
      ["p50", "mean", (point) => point.all_ms.p50],
      ["p99", "other", (point) => point.all_ms.p99],
      ["longest", "max", (point) => point.all_ms.max],
    ],
  },
  { title: "Errors", format: count, lines: [["errors", "max", (point) => point.errors]] },
];

const CACHE: Figure[] = [
  {
    title: "Bytes read of cached buckets",
    format: bytes,
    lines: [
      ["from the cache", "mean", (point) => point.cache?.hit_bytes ?? 0],
      ["from backends", "other", (point) => point.cache?.fetched_bytes ?? 0],
    ],
  },
  {
    title: "Hit ratio by bytes",
    format: percent,
    lines: [["hit ratio", "mean", (point) => point.cache?.hit_ratio_by_bytes ?? 0]],
  },
  {
    title: "Time until backends answer",
    format: duration,
    lines: [
      ["mean", "mean", (point) => point.cache?.fetch_ms ?? 0],
      ["longest", "max", (point) => point.cache?.fetch_ms_max ?? 0],
    ],
  },
];

/** Requests, bytes, times and errors over time, and, where cached buckets were read, what the cache gave. */
export function Charts({ points }: { points: Point[] }) {
  const isCached = points.some((point) => point.cache !== null);
  return (
    <div class="charts">
      <Figures figures={LOAD} points={points} />
      {isCached && <Figures figures={CACHE} points={points} />}
    </div>
  );
}

function Figures({ figures, points }: { figures: Figure[]; points: Point[] }) {
  const times = useMemo(() => points.map((point) => point.start_ms), [points]);
  return (
    <>
      {figures.map(({ title, format, lines }) => (
        <Chart
          key={title}
          title={title}
          times={times}
          lines={lines.map(([name, kind, of]) => ({ name, kind, values: points.map(of) }))}
          format={format}
        />
      ))}
    </>
  );
}

/** The times of requests over time. */
export function TimesMap({ points }: { points: Point[] }) {
  const columns = useMemo(() => points.map((point) => ({ startMs: point.start_ms, bins: point.times })), [points]);
  return <HeatMap title="Requests by their time" columns={columns} />;
}
