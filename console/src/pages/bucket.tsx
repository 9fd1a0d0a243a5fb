import type { PageProperties } from "../app";
import { Browser } from "../buckets/browser";
import { Settings } from "../buckets/settings";
import { link } from "../route";

/** One bucket: its objects by folders, or its settings. */
export function BucketPage({ session, parameters }: PageProperties) {
  const name = parameters.get("name") ?? "";
  const shown = parameters.get("show") ?? "objects";
  return (
    <>
      <h1>
        <a href={link("buckets")}>Buckets</a> / {name}
      </h1>
      <nav class="tabs" aria-label="Parts of the bucket">
        <a href={link("bucket", { name })} aria-current={shown === "objects" ? "page" : undefined}>
          Objects
        </a>
        <a href={link("bucket", { name, show: "settings" })} aria-current={shown === "settings" ? "page" : undefined}>
          Settings
        </a>
      </nav>
      {shown === "settings" ? (
        <Settings session={session} bucket={name} />
      ) : (
        <Browser session={session} bucket={name} prefix={parameters.get("prefix") ?? ""} from={parameters.get("from") ?? undefined} />
      )}
    </>
  );
}
