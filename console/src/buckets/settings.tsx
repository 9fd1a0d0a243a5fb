import type { SubmitEventHandler } from "preact";
import { useState } from "preact/hooks";
import { bytes, count, percent, time } from "../format";
import { messageOf, useLoaded } from "../load";
import { Dialog, Field, Problem } from "../parts/dialog";
import { link } from "../route";
import { RequestError, type Answer, type Session } from "../session";
import { encode } from "../signing";
import { Documents } from "./documents";

type Bucket = Answer<"/api/v1/buckets/{name}", "get">;
type Usage = Answer<"/api/v1/buckets/{name}/usage", "get">;

const PRECONDITION_FAILED = 412;

/** A setting as the API describes it. */
interface SettingSchema {
  type: "boolean" | "string";
  description: string;
  enum?: string[];
  pattern?: string;
}

interface Properties {
  session: Session;
  bucket: string;
}

/** What a bucket holds, how its cache does, and its settings, which the API describes. */
export function Settings({ session, bucket }: Properties) {
  return session.isAdmin ? (
    <>
      <Usage session={session} bucket={bucket} />
      <SettingsForm session={session} bucket={bucket} />
      <Documents session={session} bucket={bucket} />
      <Deletion session={session} bucket={bucket} />
    </>
  ) : (
    <Documents session={session} bucket={bucket} />
  );
}

function Usage({ session, bucket }: Properties) {
  const { value, problem } = useLoaded(() => session.admin<Usage>("GET", `/buckets/${encode(bucket)}/usage`), bucket, 10_000);
  const cache = value?.cache?.last_hour;
  return (
    <section>
      <h2>Use</h2>
      <Problem text={problem} />
      {value && (
        <p>
          {count(value.objects)} objects, {bytes(value.bytes)} on the disks of the targets.
          {value.missing_targets.length > 0 && ` Without targets ${value.missing_targets.join(", ")}, which do not answer.`}
        </p>
      )}
      {cache && (
        <p>
          In the last hour {percent(cache.hit_ratio_by_bytes)} of the bytes came from the cache, and {bytes(cache.fetched_bytes)} from
          the backend in {count(cache.fetches)} requests, of which {count(cache.fetch_errors)} failed.
        </p>
      )}
    </section>
  );
}

/** Somebody else has changed the same setting since it was shown. */
class ChangedByOthers extends Error {}

/** Changes settings of a bucket, unless others have changed the same ones since the bucket was read. */
async function save(session: Session, read: Bucket, changes: Record<string, unknown>): Promise<void> {
  const path = "/buckets/" + encode(read.name);
  const before = read.settings as Record<string, unknown>;
  for (let newest = read; ; newest = await session.admin<Bucket>("GET", path)) {
    const now = newest.settings as Record<string, unknown>;
    const lost = Object.keys(changes).find((name) => now[name] !== before[name]);
    if (lost !== undefined) {
      throw new ChangedByOthers(
        `Nothing was saved: somebody else has set ${labelOf(lost)} to ${String(now[lost])}.` +
          " The newest settings are shown now; change them again.",
      );
    }
    try {
      await session.admin("PATCH", path, changes, { "if-match": `"${newest.version}"` });
      return;
    } catch (e) {
      if (!(e instanceof RequestError) || e.status !== PRECONDITION_FAILED) {
        throw e;
      }
    }
  }
}

function labelOf(setting: string): string {
  return setting.replaceAll("_", " ");
}

function SettingsForm({ session, bucket }: Properties) {
  const shown = useLoaded(() => session.admin<Bucket>("GET", "/buckets/" + encode(bucket)), bucket);
  const schema = useLoaded(settingSchemas, "");
  const [problem, setProblem] = useState<string>();
  const [isSaved, setSaved] = useState(false);
  const [conflicts, setConflicts] = useState(0);
  const present = shown.value?.settings as Record<string, unknown> | undefined;

  const submit: SubmitEventHandler<HTMLFormElement> = async (event) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const changes: Record<string, unknown> = {};
    for (const [name, setting] of Object.entries(schema.value ?? {})) {
      const given = setting.type === "boolean" ? fields.has(name) : String(fields.get(name));
      if (given !== present?.[name]) {
        changes[name] = given;
      }
    }
    try {
      await save(session, shown.value!, changes);
      setProblem(undefined);
      setSaved(true);
      shown.reload();
    } catch (e) {
      setSaved(false);
      setProblem(messageOf(e));
      if (e instanceof ChangedByOthers) {
        setConflicts(conflicts + 1);
        shown.reload();
      }
    }
  };

  return (
    <section>
      <h2>Settings</h2>
      <Problem text={problem ?? shown.problem ?? schema.problem} />
      {shown.value && schema.value && (
        <form key={conflicts} onSubmit={submit} onInput={() => setSaved(false)}>
          <p>
            Owner {shown.value.owner}, created {time(shown.value.created)}.{" "}
            {shown.value.settings.backend
              ? `Caches bucket ${shown.value.settings.backend.bucket} at ${shown.value.settings.backend.endpoint ?? "AWS"}.`
              : "Tarn has the only copy of its objects."}
          </p>
          {Object.entries(schema.value).map(([name, setting]) => (
            <Setting key={name} name={name} setting={setting} present={present?.[name]} />
          ))}
          <p class="actions">
            <button class="primary">Save</button>
            <span role="status">{isSaved && "Saved."}</span>
          </p>
        </form>
      )}
    </section>
  );
}

function Setting({ name, setting, present }: { name: string; setting: SettingSchema; present: unknown }) {
  const label = labelOf(name);
  if (setting.type === "boolean") {
    return (
      <label class="field check">
        <input type="checkbox" name={name} defaultChecked={present === true} /> <span>{label}</span>
        <small>{setting.description}</small>
      </label>
    );
  }
  if (setting.enum) {
    return (
      <label class="field">
        <span>{label}</span>
        <select name={name}>
          {setting.enum.map((choice) => (
            <option key={choice} selected={choice === present}>
              {choice}
            </option>
          ))}
        </select>
        <small>{setting.description}</small>
      </label>
    );
  }
  return <Field label={label} name={name} defaultValue={String(present ?? "")} hint={setting.description} spellcheck={false} />;
}

function Deletion({ session, bucket }: Properties) {
  const [isAsking, setAsking] = useState(false);
  return (
    <section>
      <h2>Delete</h2>
      <button class="danger" onClick={() => setAsking(true)}>
        Delete bucket
      </button>
      {isAsking && (
        <Dialog
          title={`Delete bucket ${bucket}?`}
          confirm="Delete"
          isDangerous
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await session.admin("DELETE", "/buckets/" + encode(bucket));
            location.hash = link("buckets");
          }}
        >
          <p>A bucket without a backend must be empty. The objects of a bucket with a backend stay at the backend.</p>
        </Dialog>
      )}
    </section>
  );
}

/** The settings that a bucket can have; the server knows them. */
async function settingSchemas(): Promise<Record<string, SettingSchema>> {
  const description = (await (await fetch("./openapi.json")).json()) as {
    components: { schemas: { BucketSettingsChange: { properties: Record<string, SettingSchema & { oneOf?: unknown }> } } };
  };
  const properties = description.components.schemas.BucketSettingsChange.properties;
  return Object.fromEntries(Object.entries(properties).filter(([, property]) => property.oneOf === undefined));
}
