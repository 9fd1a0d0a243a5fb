import { bytes, count, duration, percent, rate } from "../format";
import { Table, type Column } from "../parts/table";
import type { components } from "../schema";
import type { Answer } from "../session";

/** The load as the admin API tells it. */
export type Profile = Answer<"/api/v1/profile", "get">;
export type Span = components["schemas"]["ProfileSpan"];
export type Point = components["schemas"]["ProfilePoint"];

const NAMES = { "5m": "5 minutes", "1h": "hour", "24h": "day" };

/** All requests of a span. */
export function requestsOf(span: Span): number {
  const kinds = span.requests;
  return kinds.read + kinds.write + kinds.delete + kinds.metadata;
}

/** The last five minutes, hour and day, with the maximum beside the mean. */
export function Spans({ spans }: { spans: Span[] }) {
  return (
    <Table
      caption="Requests"
      columns={[
        { heading: "Last", cell: (row: Span) => NAMES[row.name] },
        { heading: "Requests", isNumber: true, cell: (row) => count(requestsOf(row)) },
        { heading: "Reads", isNumber: true, cell: (row) => percent(row.requests.read / requestsOf(row)) },
        { heading: "Writes", isNumber: true, cell: (row) => percent(row.requests.write / requestsOf(row)) },
        { heading: "Metadata", isNumber: true, cell: (row) => percent(row.requests.metadata / requestsOf(row)) },
        { heading: "Errors", isNumber: true, cell: (row) => count(row.client_errors + row.server_errors) },
        { heading: "Requests/s", isNumber: true, cell: (row) => rate(row.requests_per_second) },
        { heading: "Busiest 10 s", isNumber: true, cell: (row) => rate(row.requests_per_second_max) },
        { heading: "Bytes/s", isNumber: true, cell: (row) => bytes(row.bytes_per_second) },
        { heading: "Busiest 10 s, bytes/s", isNumber: true, cell: (row) => bytes(row.bytes_per_second_max) },
        { heading: "p50", isNumber: true, cell: (row) => duration(row.all_ms.p50) },
        { heading: "p99", isNumber: true, cell: (row) => duration(row.all_ms.p99) },
        { heading: "Longest", isNumber: true, cell: (row) => duration(row.all_ms.max) },
      ]}
      rows={spans}
      keyOf={(row) => row.name}
      empty=""
    />
  );
}

/** What the cache and the backends gave; nothing without reads of cached buckets. */
export function CacheSpans({ spans }: { spans: Span[] }) {
  const rows = spans.flatMap((span) => (span.cache ? [{ name: span.name, ...span.cache }] : []));
  const columns: Column<(typeof rows)[number]>[] = [
    { heading: "Last", cell: (row) => NAMES[row.name] },
    { heading: "From the cache", isNumber: true, cell: (row) => bytes(row.hit_bytes) },
    { heading: "From backends", isNumber: true, cell: (row) => bytes(row.fetched_bytes) },
    { heading: "Hit ratio by bytes", isNumber: true, cell: (row) => percent(row.hit_ratio_by_bytes) },
    { heading: "Fetches", isNumber: true, cell: (row) => count(row.fetches) },
    { heading: "Failed", isNumber: true, cell: (row) => count(row.fetch_errors) },
    { heading: "Backend answers after, mean", isNumber: true, cell: (row) => (row.fetch_ms == null ? "–" : duration(row.fetch_ms)) },
    { heading: "At most", isNumber: true, cell: (row) => (row.fetch_ms_max == null ? "–" : duration(row.fetch_ms_max)) },
  ];
  return rows.length === 0 ? null : (
    <section>
      <h2>Reads of cached buckets</h2>
      <Table caption="Reads of cached buckets" columns={columns} rows={rows} keyOf={(row) => row.name} empty="" />
    </section>
  );
}
