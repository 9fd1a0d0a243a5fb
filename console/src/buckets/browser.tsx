import { useState } from "preact/hooks";
import { bytes, time } from "../format";
import { useLoaded } from "../load";
import { Dialog, Field, Problem } from "../parts/dialog";
import { Table } from "../parts/table";
import { link } from "../route";
import { listObjects, remove, upload, type ObjectEntry } from "../s3";
import type { Session } from "../session";
import { isShardOrManifest } from "../shards/dataset";
import { ObjectDetails } from "./details";

const UPLOAD_BYTES_MAX = 64 << 20;

interface Properties {
  session: Session;
  bucket: string;
  prefix: string;
  from: string | undefined;
}

type Row = { folder: string } | { object: ObjectEntry };

/** The keys of a bucket under a prefix, page by page. */
export function Browser({ session, bucket, prefix, from }: Properties) {
  const { value, problem, reload } = useLoaded(
    () => listObjects(session, bucket, prefix, from),
    [bucket, prefix, from].join("\n"),
  );
  const [isUploading, setUploading] = useState(false);
  const [opened, setOpened] = useState<string>();
  const [deleted, setDeleted] = useState<string>();
  const rows: Row[] = value ? [...value.folders.map((folder) => ({ folder })), ...value.objects.map((object) => ({ object }))] : [];
  return (
    <>
      <div class="heading">
        <Path bucket={bucket} prefix={prefix} />
        <button onClick={() => setUploading(true)}>Upload files</button>
      </div>
      <Problem text={problem} />
      {value?.isPartial && <p class="problem">A target is out of service. The listing leaves out its keys.</p>}
      {value && (
        <Table
          caption={`Keys of ${bucket} under "${prefix}"`}
          columns={[
            {
              heading: "Name",
              cell: (row) =>
                "folder" in row ? (
                  <a href={link("bucket", { name: bucket, prefix: row.folder })}>{row.folder.slice(prefix.length)}</a>
                ) : (
                  <button class="link" onClick={() => setOpened(row.object.key)}>
                    {row.object.key.slice(prefix.length) || "(the folder itself)"}
                  </button>
                ),
            },
            { heading: "Size", isNumber: true, cell: (row) => ("object" in row ? bytes(row.object.size) : "") },
            { heading: "Changed", cell: (row) => ("object" in row ? time(row.object.changed) : "") },
            {
              heading: "Actions",
              cell: (row) =>
                "object" in row && (
                  <>
                    {isShardOrManifest(row.object.key) && (
                      <a href={link("shards", { bucket, key: row.object.key })} aria-label={"Samples of " + row.object.key}>
                        Samples
                      </a>
                    )}{" "}
                    <button onClick={() => setDeleted(row.object.key)} aria-label={"Delete " + row.object.key}>
                      Delete
                    </button>
                  </>
                ),
            },
          ]}
          rows={rows}
          keyOf={(row) => ("folder" in row ? "folder " + row.folder : "object " + row.object.key)}
          empty={from === undefined ? "There is no object under this prefix." : "There are no more keys."}
        />
      )}
      <p class="actions">
        {from !== undefined && <a href={link("bucket", { name: bucket, prefix })}>First page</a>}
        {value?.next !== undefined && <a href={link("bucket", { name: bucket, prefix, from: value.next })}>Next page</a>}
      </p>
      {isUploading && (
        <Dialog title={`Upload to ${bucket}/${prefix}`} confirm="Upload" onClose={() => setUploading(false)} onConfirm={uploadAll}>
          <Field label="Files" name="files" type="file" multiple required hint="At most 64 MiB each. Use an S3 tool for larger files." />
        </Dialog>
      )}
      {deleted !== undefined && <DeleteDialog session={session} bucket={bucket} objectKey={deleted} onDone={reload} onClose={() => setDeleted(undefined)} />}
      {opened !== undefined && <ObjectDetails session={session} bucket={bucket} objectKey={opened} onChange={reload} onClose={() => setOpened(undefined)} />}
    </>
  );

  async function uploadAll(fields: FormData): Promise<void> {
    const files = fields.getAll("files").filter((file) => file instanceof File);
    const tooLarge = files.find((file) => file.size > UPLOAD_BYTES_MAX);
    if (tooLarge !== undefined) {
      throw new Error(`${tooLarge.name} has ${bytes(tooLarge.size)}, the limit is ${bytes(UPLOAD_BYTES_MAX)}; use an S3 tool such as aws s3 cp.`);
    }
    try {
      for (const file of files) {
        await upload(session, bucket, prefix + file.name, file);
      }
    } finally {
      reload();
    }
  }
}

/** The folders above, as links. */
function Path({ bucket, prefix }: { bucket: string; prefix: string }) {
  const parts = prefix.split("/").slice(0, -1);
  return (
    <nav class="path" aria-label="Folders above">
      <a href={link("bucket", { name: bucket })}>{bucket}</a>
      {parts.map((part, index) => {
        const above = parts.slice(0, index + 1).join("/") + "/";
        return (
          <span key={above}>
            {" / "}
            <a href={link("bucket", { name: bucket, prefix: above })}>{part || "(empty)"}</a>
          </span>
        );
      })}
    </nav>
  );
}

interface DeleteProperties {
  session: Session;
  bucket: string;
  objectKey: string;
  version?: string;
  onDone: () => void;
  onClose: () => void;
}

/** Asks before an object is deleted, and says where it is deleted. */
export function DeleteDialog({ session, bucket, objectKey, version, onDone, onClose }: DeleteProperties) {
  const where = useLoaded(() => backendOf(session, bucket), bucket);
  return (
    <Dialog
      title={version === undefined ? "Delete this object?" : "Delete this version?"}
      confirm="Delete"
      isDangerous
      onClose={onClose}
      onConfirm={async () => {
        await remove(session, bucket, objectKey, version);
        onDone();
      }}
    >
      <p>
        <code>{objectKey}</code>
        {version !== undefined && `, version ${version}`}
      </p>
      <p>{where.value ?? "If the bucket has a backend, the object is deleted there, too."}</p>
    </Dialog>
  );
}

/** Where a delete has effect. Only admin users can ask whether a bucket has a backend. */
async function backendOf(session: Session, bucket: string): Promise<string | undefined> {
  if (!session.isAdmin) {
    return undefined;
  }
  const shown = await session.admin<{ settings: { backend?: { bucket: string; endpoint: string | null } | null } }>(
    "GET",
    "/buckets/" + bucket,
  );
  const backend = shown.settings.backend;
  return backend
    ? `The bucket caches a backend. The object is deleted at the backend: bucket ${backend.bucket} at ${backend.endpoint ?? "AWS"}.`
    : "The object is deleted in Tarn, which has the only copy. With versioning, earlier versions stay.";
}
