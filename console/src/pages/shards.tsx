import { useState } from "preact/hooks";
import type { PageProperties } from "../app";
import { bytes, count, plural } from "../format";
import { useLoaded } from "../load";
import { Field, Problem } from "../parts/dialog";
import { link } from "../route";
import { Dataset, type NumberedSample } from "../shards/dataset";
import { sizeOf } from "../shards/names";
import { Members } from "../shards/preview";
import { ShardFacts } from "../shards/facts";

const SAMPLES_SHOWN = 24;

/** The samples of a data set, or of one shard, as a gallery. */
export function ShardsPage({ session, parameters }: PageProperties) {
  const bucket = parameters.get("bucket") ?? "";
  const key = parameters.get("key") ?? "";
  // Counts how often something was opened, since the same object may have changed.
  const [round, setRound] = useState(0);
  const opened = [bucket, key, round].join("/");
  const { value, problem } = useLoaded(
    async () => (bucket === "" ? undefined : Dataset.open(session, bucket, key)),
    opened,
  );
  return (
    <>
      <h1>Shards</h1>
      <form class="inline" onSubmit={open} key={bucket + "/" + key}>
        <Field label="Bucket" name="bucket" required defaultValue={bucket} />
        <Field
          label="Shard, manifest, or folder with dataset.json"
          name="key"
          defaultValue={key}
          placeholder="images/shard-000000.tar or images/"
        />
        <button class="primary">Open</button>
      </form>
      <Problem text={problem} />
      {value && <Gallery key={opened} dataset={value} bucket={bucket} place={key} first={numberIn(parameters)} />}
    </>
  );

  function open(event: Event) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    setRound(round + 1);
    location.hash = link("shards", { bucket: String(fields.get("bucket")), key: String(fields.get("key")) });
  }
}

function numberIn(parameters: URLSearchParams): number {
  const number = Number(parameters.get("sample") ?? 0);
  return Number.isSafeInteger(number) && number >= 0 ? number : 0;
}

interface GalleryProperties {
  dataset: Dataset;
  bucket: string;
  place: string;
  /** The number of the first sample that is shown. */
  first: number;
}

function Gallery({ dataset, bucket, place, first }: GalleryProperties) {
  const { value, problem } = useLoaded(async (signal) => {
    const [shown, shard] = await Promise.all([dataset.range(first, SAMPLES_SHOWN, signal), dataset.shardOf(first)]);
    return { shown, shard, samples: dataset.samples ?? shard.samples, found: dataset.samples ?? shard.found };
  }, String(first));
  const at = (sample: number) => link("shards", { bucket, key: place, sample: String(sample) });
  const goTo = (sample: number) => (location.hash = at(sample));
  const samples = value?.samples;
  return (
    <>
      <p>
        {samples !== undefined ? plural(samples, "sample") : value && `More than ${plural(value.found, "sample")}`}
        {dataset.size !== undefined && ` in ${plural(dataset.shardCount, "shard")}, ${bytes(dataset.size)}`}.{" "}
        {dataset.classes.length > 0 && plural(dataset.classes.length, "class", "classes") + "."}
      </p>
      <div class="inline">
        <form class="inline" onSubmit={jump} key={first}>
          <Field label="Sample" name="sample" type="number" min={0} max={samples && samples - 1} required defaultValue={first} />
          <button>Show</button>
        </form>
        {value && value.found > 0 && <button onClick={() => goTo(Math.floor(Math.random() * value.found))}>Random sample</button>}
        {first > 0 && <a href={at(Math.max(0, first - SAMPLES_SHOWN))}>Previous</a>}
        {value && value.shown.length === SAMPLES_SHOWN && <a href={at(first + SAMPLES_SHOWN)}>Next</a>}
      </div>
      <Problem text={problem} />
      {value === undefined && problem === undefined && <p role="status">Reading the headers…</p>}
      {value?.shown.length === 0 && (
        <p class="empty">{first === 0 ? "The shard has no samples." : `There is no sample ${count(first)}.`}</p>
      )}
      <div class="gallery">
        {value?.shown.map((shown) => (
          <Card key={shown.number} shown={shown} classes={dataset.classes} />
        ))}
      </div>
      {value && <ShardFacts key={value.shard.key} shard={value.shard} bucket={bucket} />}
    </>
  );

  function jump(event: Event) {
    event.preventDefault();
    goTo(Number(new FormData(event.currentTarget as HTMLFormElement).get("sample")));
  }
}

function Card({ shown, classes }: { shown: NumberedSample; classes: string[] }) {
  const { number, shard, sample } = shown;
  return (
    <article class="sample" aria-label={`Sample ${number}`}>
      <h2>
        {count(number)} <code>{sample.key}</code>
      </h2>
      <Members content={shard.content} members={sample.members} classes={classes} />
      <small>
        {bytes(sizeOf(sample))} in {plural(sample.members.length, "file")}
      </small>
    </article>
  );
}
