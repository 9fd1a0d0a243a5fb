import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

/** A line of a chart. */
export interface Line {
  name: string;
  values: number[];
  /** A class of style.css that colours it: line-mean, line-max or line-other. */
  kind: "mean" | "max" | "other";
}

interface Properties {
  title: string;
  /** In milliseconds since 1970. */
  times: number[];
  lines: Line[];
  format: (value: number) => string;
}

const HEIGHT = 220;

/** Lines over time. A screen reader gets the last and the greatest value of each as text. */
export function Chart({ title, times, lines, format }: Properties) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const names = lines.map((line) => line.kind + line.name).join();
  useEffect(() => {
    const parent = place.current!;
    const made = (plot.current = plotIn(parent, lines, format));
    const resized = new ResizeObserver(() => made.setSize({ width: parent.clientWidth, height: HEIGHT }));
    resized.observe(parent);
    return () => {
      resized.disconnect();
      made.destroy();
    };
  }, [names, format]);
  // New values keep the chart, and with it what the pointer shows.
  useEffect(() => {
    plot.current?.setData([times.map((time) => time / 1000), ...lines.map((line) => line.values)]);
  }, [names, format, times]);
  const summary = lines.map(
    ({ name, values }) => `${name} now ${format(values.at(-1) ?? 0)}, at most ${format(Math.max(0, ...values))}`,
  );
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <div class="chart" ref={place} role="img" aria-label={`${title}: ${summary.join("; ")}`} />
    </figure>
  );
}

function plotIn(parent: HTMLElement, lines: Line[], format: (value: number) => string): uPlot {
  const style = getComputedStyle(parent);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = { stroke: colour("--faint"), grid: { stroke: colour("--line"), width: 1 } };
  return new uPlot(
    {
      width: parent.clientWidth,
      height: HEIGHT,
      scales: { y: { range: (_, __, max) => [0, max > 0 ? max * 1.05 : 1] } },
      axes: [axis, { ...axis, size: 84, values: (_, ticks) => ticks.map(format) }],
      series: [
        {},
        ...lines.map((line) => ({
          label: line.name,
          stroke: colour("--" + line.kind),
          width: line.kind === "max" ? 1 : 2,
          value: (_: uPlot, value: number | null) => (value === null ? "–" : format(value)),
        })),
      ],
    },
    [[], ...lines.map(() => [])],
    parent,
  );
}
