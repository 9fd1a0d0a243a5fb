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
  useEffect(() => {
    const parent = place.current!;
    const style = getComputedStyle(parent);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const axis = { stroke: colour("--faint"), grid: { stroke: colour("--line"), width: 1 } };
    const plot = new uPlot(
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
      [times.map((time) => time / 1000), ...lines.map((line) => line.values)],
      parent,
    );
    const resized = new ResizeObserver(() => plot.setSize({ width: parent.clientWidth, height: HEIGHT }));
    resized.observe(parent);
    return () => {
      resized.disconnect();
      plot.destroy();
    };
  }, [times, lines, format]);
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
