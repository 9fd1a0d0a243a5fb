import { useState } from "preact/hooks";
import { bytes, time } from "../format";
import { messageOf, useLoaded } from "../load";
import { Dialog, Problem } from "../parts/dialog";
import { Table } from "../parts/table";
import { downloadAddress, listTags, listVersions, type ObjectEntry } from "../s3";
import type { Session } from "../session";
import { DeleteDialog } from "./browser";

interface Properties {
  session: Session;
  bucket: string;
  objectKey: string;
  onChange: () => void;
  onClose: () => void;
}

/** The versions and the tags of an object, and its download. */
export function ObjectDetails({ session, bucket, objectKey, onChange, onClose }: Properties) {
  const versions = useLoaded(() => listVersions(session, bucket, objectKey), objectKey);
  const tags = useLoaded(() => listTags(session, bucket, objectKey), objectKey);
  const [problem, setProblem] = useState<string>();
  const [deleted, setDeleted] = useState<string>();

  const download = async (version?: string) => {
    try {
      const anchor = document.createElement("a");
      anchor.href = await downloadAddress(session, bucket, objectKey, version);
      anchor.download = objectKey.slice(objectKey.lastIndexOf("/") + 1);
      anchor.click();
    } catch (e) {
      setProblem(messageOf(e));
    }
  };
  const isVersioned = (versions.value ?? []).some((version) => version.version !== "null");

  return (
    <>
      <Dialog title={objectKey} confirm="Download" onClose={onClose} onConfirm={() => download()}>
      <Problem text={problem ?? versions.problem} />
      {tags.value && tags.value.length > 0 && (
        <dl class="tags" aria-label="Tags">
          {tags.value.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {versions.value && (
        <Table<ObjectEntry>
          caption="Versions"
          columns={[
            { heading: isVersioned ? "Version" : "Object", cell: (version) => (isVersioned ? version.version : version.etag) },
            { heading: "Size", isNumber: true, cell: (version) => (version.isMarker ? "delete marker" : bytes(version.size)) },
            { heading: "Changed", cell: (version) => time(version.changed) },
            {
              heading: "Actions",
              cell: (version) =>
                isVersioned && (
                  <>
                    {!version.isMarker && (
                      <button type="button" onClick={() => download(version.version)}>
                        Download
                      </button>
                    )}
                    <button type="button" onClick={() => setDeleted(version.version)}>
                      Delete
                    </button>
                  </>
                ),
            },
          ]}
          rows={versions.value}
          keyOf={(version) => version.version ?? ""}
          empty="The object is gone."
        />
      )}
      </Dialog>
      {deleted !== undefined && (
        <DeleteDialog
          session={session}
          bucket={bucket}
          objectKey={objectKey}
          version={deleted}
          onDone={() => {
            versions.reload();
            onChange();
          }}
          onClose={() => setDeleted(undefined)}
        />
      )}
    </>
  );
}
