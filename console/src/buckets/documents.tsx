import type { SubmitEventHandler } from "preact";
import { useState } from "preact/hooks";
import { messageOf, useLoaded } from "../load";
import { Problem } from "../parts/dialog";
import { RequestError, type Session } from "../session";
import { encode } from "../signing";

/** The configurations that S3 keeps as documents of a bucket. */
const DOCUMENTS = [
  { name: "versioning", title: "Versioning", type: "application/xml", canDelete: false },
  { name: "lifecycle", title: "Lifecycle", type: "application/xml", canDelete: true },
  { name: "policy", title: "Policy", type: "application/json", canDelete: true },
];

interface Properties {
  session: Session;
  bucket: string;
}

/** Versioning, lifecycle and policy, as the documents that S3 has for them. */
export function Documents({ session, bucket }: Properties) {
  return (
    <section>
      <h2>S3 configuration</h2>
      {DOCUMENTS.map((document) => (
        <DocumentForm key={document.name} session={session} bucket={bucket} document={document} />
      ))}
    </section>
  );
}

function DocumentForm({ session, bucket, document }: Properties & { document: (typeof DOCUMENTS)[number] }) {
  const path = "/" + encode(bucket);
  const query: [string, string][] = [[document.name, ""]];
  const shown = useLoaded(() => read(session, path, query), bucket);
  const [message, setMessage] = useState<{ text: string; isProblem: boolean }>();

  const submit: SubmitEventHandler<HTMLFormElement> = async (event) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("document")).trim();
    try {
      if (text === "" && document.canDelete) {
        await session.s3({ method: "DELETE", path, query });
      } else {
        await session.s3({
          method: "PUT",
          path,
          query,
          headers: { "content-type": document.type },
          body: new TextEncoder().encode(text),
        });
      }
      setMessage({ text: "Saved.", isProblem: false });
      shown.reload();
    } catch (e) {
      setMessage({ text: messageOf(e), isProblem: true });
    }
  };

  return (
    <details>
      <summary>{document.title}</summary>
      <form onSubmit={submit}>
        <Problem text={shown.problem ?? (message?.isProblem ? message.text : undefined)} />
        {shown.value !== undefined && (
          <textarea name="document" rows={8} defaultValue={shown.value} aria-label={document.title} spellcheck={false} />
        )}
        <p class="actions">
          <button>Save</button>
          <span role="status">{message && !message.isProblem && message.text}</span>
          {document.canDelete && <small>Save an empty text to delete the document.</small>}
        </p>
      </form>
    </details>
  );
}

/** The text of a document; empty if the bucket has none. */
async function read(session: Session, path: string, query: [string, string][]): Promise<string> {
  try {
    return await (await session.s3({ method: "GET", path, query })).text();
  } catch (e) {
    if (e instanceof RequestError && e.status === 404) {
      return "";
    }
    throw e;
  }
}
