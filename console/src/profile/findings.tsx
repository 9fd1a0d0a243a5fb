import { duration, percent } from "../format";
import { link } from "../route";
import { requestsOf, type Profile } from "./spans";

const MOST = 0.5;
const MUCH = 0.2;
const MANY_ERRORS = 0.01;
const BURST = 5;
const BURST_REQUESTS = 100;

/** What stands out in the last five minutes, in sentences: who causes the load, and why reads may be slow. */
export function Findings({ profile }: { profile: Profile }) {
  const span = profile.spans[0]!;
  const requests = requestsOf(span);
  if (requests === 0) {
    return <p class="hint">There were no requests in the last 5 minutes.</p>;
  }
  const cache = span.cache;
  const moved = cache ? cache.hit_bytes + cache.fetched_bytes : 0;
  const missed = cache && moved > 0 ? cache.fetched_bytes / moved : 0;
  const errors = (span.client_errors + span.server_errors) / requests;
  const [first, ...others] = profile.buckets;
  const share = first && first.requests / profile.buckets.reduce((sum, bucket) => sum + bucket.requests, 0);
  return (
    <ul class="findings" aria-label="What stands out">
      {first && others.length > 0 && share !== undefined && share > MOST && (
        <li>
          Bucket <a href={link("load", { bucket: first.bucket })}>{first.bucket}</a> causes most of the load: {percent(share)} of the
          requests of the last hour.
        </li>
      )}
      {cache && missed > MUCH && (
        <li>
          The cache is cold, or smaller than what is read: {percent(missed)} of the bytes of the last 5 minutes came from backends
          {cache.fetch_ms != null && `, whose answers began after ${duration(cache.fetch_ms)} on average`}
          {cache.fetch_ms_max != null && ` and ${duration(cache.fetch_ms_max)} at most`}.
        </li>
      )}
      {cache && cache.fetch_errors > 0 && <li>Backends failed to answer {cache.fetch_errors} of {cache.fetches} requests.</li>}
      {errors > MANY_ERRORS && <li>{percent(errors)} of the requests of the last 5 minutes had an error.</li>}
      {requests >= BURST_REQUESTS && span.requests_per_second_max > BURST * span.requests_per_second && (
        <li>The load comes in bursts: the busiest 10 seconds had {Math.round(span.requests_per_second_max / span.requests_per_second)} times the mean.</li>
      )}
    </ul>
  );
}
