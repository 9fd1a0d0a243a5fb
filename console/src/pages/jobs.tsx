import { useEffect, useRef, useState } from "preact/hooks";
import type { PageProperties } from "../app";
import { bytes, count, plural, time } from "../format";
import { messageOf, useLoaded } from "../load";
import { Field, Problem } from "../parts/dialog";
import type { Answer, Session } from "../session";
import { encode } from "../signing";

type Scrub = Answer<"/api/v1/scrub", "get">;
type Evicted = Answer<"/api/v1/buckets/{name}/evict", "post">;

const EVERY_MS = 2000;

/** What an admin starts by hand: the check of all data, and the eviction of cached bytes. */
export function JobsPage({ session }: PageProperties) {
  return (
    <>
      <h1>Jobs</h1>
      <ScrubJob session={session} />
      <EvictJob session={session} />
    </>
  );
}

function ScrubJob({ session }: { session: Session }) {
  const { value, problem, reload } = useLoaded(() => session.admin<Scrub>("GET", "/scrub"), "scrub", EVERY_MS);
  const [failure, setFailure] = useState<string>();
  const start = async () => {
    try {
      await session.admin("POST", "/scrub");
      setFailure(undefined);
      reload();
    } catch (e) {
      setFailure(messageOf(e));
    }
  };
  return (
    <section>
      <h2>Scrub</h2>
      <p>A scrub reads everything on all disks and compares it with its checksums.</p>
      <Problem text={failure ?? problem} />
      {value && (
        <>
          <p>
            <span role="status">{STATES[value.state]}</span>
            {value.state !== "none" && `: ${countsOf(value)}`}
          </p>
          <Lines title="Corrupt objects" lines={value.corrupt} />
          <Lines title="Not checked" lines={value.unchecked} />
          <button onClick={start} disabled={value.state === "running"}>
            Start a scrub
          </button>
        </>
      )}
    </section>
  );
}

const STATES = {
  none: "There was no scrub since the start.",
  running: "Running",
  done: "Done",
  incomplete: "Ended, but not everything was checked",
};

function countsOf(scrub: Scrub): string {
  const read = `${plural(scrub.objects ?? 0, "object")}, ${bytes(scrub.bytes ?? 0)} since ${time(scrub.started ?? "")}`;
  return `${read}; ${count(scrub.corrupt_count ?? 0)} corrupt.`;
}

function Lines({ title, lines }: { title: string; lines: string[] | undefined }) {
  return lines === undefined || lines.length === 0 ? null : (
    <>
      <h3>{title}</h3>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  );
}

function EvictJob({ session }: { session: Session }) {
  const [done, setDone] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const isGone = useRef(false);
  useEffect(() => () => void (isGone.current = true), []);
  const evict = async (event: Event) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const bucket = String(fields.get("bucket"));
    setBusy(true);
    setFailure(undefined);
    setDone(undefined);
    let [objects, evicted] = [0, 0];
    try {
      for (let after: string | undefined = ""; after !== undefined && !isGone.current; ) {
        const answer: Evicted = await session.admin<Evicted>("POST", `/buckets/${encode(bucket)}/evict`, {
          prefix: String(fields.get("prefix")),
          ...(after !== "" && { after }),
        });
        objects += answer.evicted_objects;
        evicted += answer.evicted_bytes;
        after = answer.next;
        setDone(`${plural(objects, "object")} of ${bucket} with ${bytes(evicted)} left the cache.`);
      }
    } catch (e) {
      setFailure(messageOf(e));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section>
      <h2>Evict cached bytes</h2>
      <p>The next read of these objects asks the backend. Nothing is deleted there.</p>
      <form class="inline" onSubmit={evict}>
        <Field label="Bucket" name="bucket" required spellcheck={false} />
        <Field label="Prefix (empty: all objects)" name="prefix" spellcheck={false} />
        <button disabled={isBusy}>Evict</button>
      </form>
      <Problem text={failure} />
      {done && <p role="status">{done}</p>}
    </section>
  );
}
