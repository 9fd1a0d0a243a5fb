import { useEffect, useRef } from "preact/hooks";
import { duration, time } from "../format";

/** How many requests took so long in an interval; to: the greatest time in milliseconds, null: without bound. */
export interface Column {
  startMs: number;
  bins: { to: number | null; requests: number }[];
}

const ROW = 12;
const LABEL_WIDTH = 60;

/** Times of requests over time: the darker a cell, the more requests. */
export function HeatMap({ title, columns }: { title: string; columns: Column[] }) {
  const place = useRef<HTMLCanvasElement>(null);
  const bounds = [...new Set(columns.flatMap((column) => column.bins.map((bin) => bin.to ?? Infinity)))].sort((a, b) => b - a);
  useEffect(() => {
    const canvas = place.current!;
    const style = getComputedStyle(canvas);
    const scale = devicePixelRatio;
    const width = canvas.clientWidth;
    const height = bounds.length * ROW + 18;
    canvas.width = width * scale;
    canvas.height = height * scale;
    canvas.style.height = height + "px";
    const context = canvas.getContext("2d")!;
    context.scale(scale, scale);
    context.font = "11px system-ui, sans-serif";
    const cell = (width - LABEL_WIDTH) / Math.max(1, columns.length);
    const most = Math.max(1, ...columns.flatMap((column) => column.bins.map((bin) => bin.requests)));
    columns.forEach((column, x) => {
      for (const bin of column.bins) {
        const y = bounds.indexOf(bin.to ?? Infinity);
        context.globalAlpha = 0.15 + (0.85 * Math.log1p(bin.requests)) / Math.log1p(most);
        context.fillStyle = style.getPropertyValue("--mean").trim();
        context.fillRect(LABEL_WIDTH + x * cell, y * ROW, Math.max(1, cell - 1), ROW - 1);
      }
    });
    context.globalAlpha = 1;
    context.fillStyle = style.getPropertyValue("--faint").trim();
    bounds.forEach((bound, y) => {
      if (y % 2 === 0) {
        context.fillText(bound === Infinity ? "more" : duration(bound), 0, y * ROW + 10);
      }
    });
    const first = columns[0];
    if (first !== undefined) {
      context.fillText(new Date(first.startMs).toLocaleTimeString(), LABEL_WIDTH, height - 4);
      context.textAlign = "end";
      context.fillText(new Date(columns.at(-1)!.startMs).toLocaleTimeString(), width, height - 4);
    }
  }, [columns]);
  const slowest = columns.findLast((column) => column.bins.length > 0);
  const summary =
    slowest === undefined
      ? "no requests"
      : `at ${time(slowest.startMs)} up to ${duration(Math.max(...slowest.bins.map((bin) => bin.to ?? Infinity)))}`;
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <canvas class="heat" ref={place} role="img" aria-label={`${title}: ${summary}`} />
    </figure>
  );
}
