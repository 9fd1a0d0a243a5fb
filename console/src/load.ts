import { useCallback, useEffect, useRef, useState } from "preact/hooks";

/** What a page shows of a request: its last answer, and why there is no newer one. */
export interface Loaded<T> {
  value: T | undefined;
  problem: string | undefined;
  reload: () => void;
}

/**
 * Loads something, again when the key changes, and every so many milliseconds while the page is visible. After a
 * failure the last value stays. The signal ends a load that nothing waits for any more.
 */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, key: string, everyMs?: number): Loaded<T> {
  const [value, setValue] = useState<T>();
  const [problem, setProblem] = useState<string>();
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  const shown = useRef(key);
  const reload = useCallback(() => setRound((last) => last + 1), []);
  useEffect(() => {
    const ended = new AbortController();
    let timer: number | undefined;
    if (shown.current !== key) {
      shown.current = key;
      setValue(undefined);
    }
    const step = async () => {
      if (!document.hidden) {
        try {
          const loaded = await latest.current(ended.signal);
          if (!ended.signal.aborted) {
            setValue(loaded);
            setProblem(undefined);
          }
        } catch (e) {
          if (!ended.signal.aborted) {
            setProblem(messageOf(e));
          }
        }
      }
      if (!ended.signal.aborted && everyMs !== undefined) {
        timer = setTimeout(step, everyMs);
      }
    };
    void step();
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  }, [key, round, everyMs]);
  return { value, problem, reload };
}

/** The text of a failure, for the user. */
export function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}
