const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];

/** Bytes with a unit, such as 1.5 MiB. */
export function bytes(count: number): string {
  let unit = 0;
  let value = count;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

/** A count with separators of thousands. */
export function count(value: number): string {
  return value.toLocaleString("en-US");
}

/** A share as a percentage; a dash if it is unknown. */
export function percent(share: number | null | undefined): string {
  return share == null || Number.isNaN(share) ? "–" : `${(share * 100).toFixed(share > 0.995 || share < 0.1 ? 1 : 0)} %`;
}

/** Milliseconds with a unit. */
export function duration(ms: number): string {
  if (ms < 1) {
    return `${Math.round(ms * 1000)} µs`;
  }
  return ms < 1000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** A time, for people in the browser's zone. */
export function time(value: string | number): string {
  return new Date(value).toLocaleString();
}

/** So many a second. */
export function rate(value: number): string {
  return value < 100 ? value.toFixed(1) : count(Math.round(value));
}

/** One thing or many: "1 disk", "2 disks". */
export function plural(value: number, noun: string, many = noun + "s"): string {
  return `${count(value)} ${value === 1 ? noun : many}`;
}
