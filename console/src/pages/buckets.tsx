import { useState } from "preact/hooks";
import type { PageProperties } from "../app";
import { time } from "../format";
import { useLoaded } from "../load";
import { Dialog, Field, Problem } from "../parts/dialog";
import { Table } from "../parts/table";
import { link } from "../route";
import { listBuckets } from "../s3";
import { encode } from "../signing";

/** All buckets that the user may see. */
export function BucketsPage({ session }: PageProperties) {
  const { value, problem, reload } = useLoaded(() => listBuckets(session), "buckets");
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <div class="heading">
        <h1>Buckets</h1>
        <button class="primary" onClick={() => setCreating(true)}>
          Create bucket
        </button>
      </div>
      <Problem text={problem} />
      {value && (
        <Table
          caption="Buckets"
          columns={[
            { heading: "Bucket", cell: (bucket) => <a href={link("bucket", { name: bucket.name })}>{bucket.name}</a> },
            { heading: "Created", cell: (bucket) => time(bucket.created) },
          ]}
          rows={value}
          keyOf={(bucket) => bucket.name}
          empty="There is no bucket that you may see. Create one."
        />
      )}
      {isCreating && (
        <Dialog
          title="Create a bucket"
          confirm="Create"
          onClose={() => setCreating(false)}
          onConfirm={async (fields) => {
            await session.s3({ method: "PUT", path: "/" + encode(String(fields.get("name"))) });
            reload();
          }}
        >
          <Field label="Name" name="name" required spellcheck={false} hint="3 to 63 lower-case letters, digits, dots and hyphens." />
        </Dialog>
      )}
    </>
  );
}
