import type { PageProperties } from "../app";
import { bytes, count, percent, plural } from "../format";
import { useLoaded } from "../load";
import { Problem } from "../parts/dialog";
import { Table } from "../parts/table";
import { Charts, TimesMap } from "../profile/charts";
import { Findings } from "../profile/findings";
import { CacheSpans, Spans, type Profile, type Span } from "../profile/spans";
import { link } from "../route";
import { encode } from "../signing";

const EVERY_MS = 5000;

/** What the requests of all gateways are: of all buckets, or of one. */
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
      <Findings profile={profile} />
      <Spans spans={profile.spans} />
      <CacheSpans spans={profile.spans} />
      <Charts points={points} />
      <TimesMap points={points} />
      <div class="columns">
        <section>
          <h2>Bytes moved by a read or write</h2>
          <Sizes caption="Reads and writes by size" bins={span.sizes} empty="No bytes were moved." />
        </section>
        <section>
          <h2>Sizes of the objects that were read</h2>
          <Sizes caption="Reads by size of the object" bins={span.object_sizes} empty="No object was read." />
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
      <p class="hint">
        Recorded by {plural(profile.gateways, "gateway")} since the start of each.
        {profile.gateways > 1 && " The busiest 10 s are those of each gateway, added up."}
      </p>
      {profile.silent_targets.length > 0 && (
        <p class="problem">The reads of cached buckets on these targets are missing: {profile.silent_targets.join("; ")}</p>
      )}
      {profile.silent_gateways.length > 0 && (
        <p class="problem">The load of these gateways is missing: {profile.silent_gateways.join("; ")}</p>
      )}
    </>
  );
}

function Sizes({ caption, bins, empty }: { caption: string; bins: Span["sizes"]; empty: string }) {
  const most = Math.max(1, ...bins.map((bin) => bin.requests));
  return (
    <Table
      caption={caption}
      columns={[
        { heading: "Up to", cell: (bin) => (bin.to === null ? "more" : bytes(bin.to)) },
        { heading: "Requests", isNumber: true, cell: (bin) => count(bin.requests) },
        { heading: "Share", cell: (bin) => <meter min={0} max={most} value={bin.requests} aria-label={count(bin.requests)} /> },
      ]}
      rows={bins}
      keyOf={(bin) => String(bin.to)}
      empty={empty}
    />
  );
}
