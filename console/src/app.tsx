import type { ComponentChildren } from "preact";
import { useEffect, useErrorBoundary, useState } from "preact/hooks";
import { messageOf } from "./load";
import { BucketPage } from "./pages/bucket";
import { BucketsPage } from "./pages/buckets";
import { JobsPage } from "./pages/jobs";
import { LoadPage } from "./pages/load";
import { OverviewPage } from "./pages/overview";
import { ShardsPage } from "./pages/shards";
import { SignIn } from "./pages/signin";
import { UsersPage } from "./pages/users";
import { Problem } from "./parts/dialog";
import { link, useRoute } from "./route";
import type { Session } from "./session";

/** What every page gets. */
export interface PageProperties {
  session: Session;
  parameters: URLSearchParams;
}

const PAGES = [
  { name: "overview", title: "Overview", page: OverviewPage, isForAdmins: true },
  { name: "load", title: "Load", page: LoadPage, isForAdmins: true },
  { name: "buckets", title: "Buckets", page: BucketsPage, isForAdmins: false },
  { name: "shards", title: "Shards", page: ShardsPage, isForAdmins: false },
  { name: "users", title: "Users", page: UsersPage, isForAdmins: true },
  { name: "jobs", title: "Jobs", page: JobsPage, isForAdmins: true },
];

/** The whole console: the form to sign in, then the pages. */
export function App() {
  const [session, setSession] = useState<Session>();
  const route = useRoute();
  if (session === undefined) {
    return <SignIn onSession={setSession} />;
  }
  const offered = PAGES.filter((page) => session.isAdmin || !page.isForAdmins);
  const chosen = offered.find((page) => page.name === route.page) ?? offered[0]!;
  const Page = route.page === "bucket" ? BucketPage : chosen.page;
  const active = route.page === "bucket" ? "buckets" : chosen.name;
  return (
    <>
      <a class="skip" href="#content" onClick={focusContent}>
        Skip to the content
      </a>
      <header>
        <strong>Tarn</strong>
        <nav aria-label="Pages">
          {offered.map(({ name, title }) => (
            <a key={name} href={link(name)} aria-current={active === name ? "page" : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <span class="who">{session.accessKey}</span>
        <button onClick={() => setSession(undefined)}>Sign out</button>
      </header>
      <main id="content" tabIndex={-1}>
        <Guarded key={route.page} place={location.hash}>
          <Page session={session} parameters={route.parameters} />
        </Guarded>
      </main>
    </>
  );
}

/** A defect of the page, or data that no check expected, must not end the session. */
function Guarded({ place, children }: { place: string; children: ComponentChildren }) {
  const [failure, forget] = useErrorBoundary();
  useEffect(forget, [place]);
  return failure === undefined ? <>{children}</> : <Problem text={`The page cannot show this: ${messageOf(failure)}`} />;
}

/** The address behind the hash names the page, so a plain link to the content would leave it. */
function focusContent(event: Event) {
  event.preventDefault();
  document.getElementById("content")?.focus();
}
