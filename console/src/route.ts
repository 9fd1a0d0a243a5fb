import { useEffect, useState } from "preact/hooks";

/** A place in the console: the part of the address behind the hash. */
export interface Route {
  page: string;
  parameters: URLSearchParams;
}

/** The address of a page, for links. */
export function link(page: string, parameters: Record<string, string> = {}): string {
  const query = new URLSearchParams(parameters).toString();
  return "#/" + page + (query === "" ? "" : "?" + query);
}

function current(): Route {
  const [page, query] = location.hash.replace(/^#\/?/, "").split("?", 2);
  return { page: page || "overview", parameters: new URLSearchParams(query ?? "") };
}

/** The present place; the page is drawn again when it changes. */
export function useRoute(): Route {
  const [route, setRoute] = useState(current);
  useEffect(() => {
    const changed = () => setRoute(current());
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return route;
}
