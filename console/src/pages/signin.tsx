import type { SubmitEventHandler } from "preact";
import { useState } from "preact/hooks";
import { messageOf } from "../load";
import { Field, Problem } from "../parts/dialog";
import { Session } from "../session";

/** Asks for an access key and its secret. The secret stays in this page. */
export function SignIn({ onSession }: { onSession: (session: Session) => void }) {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const submit: SubmitEventHandler<HTMLFormElement> = async (event) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    setBusy(true);
    try {
      const accessKey = String(fields.get("access-key")).trim();
      onSession(await Session.begin(accessKey, String(fields.get("secret-key")).trim()));
    } catch (e) {
      setProblem(messageOf(e));
      setBusy(false);
    }
  };

  return (
    <main class="signin">
      <h1>Tarn</h1>
      <form onSubmit={submit}>
        <Field label="Access key" name="access-key" required autocomplete="username" spellcheck={false} />
        <Field label="Secret key" name="secret-key" type="password" required autocomplete="current-password" />
        <Problem text={problem} />
        <button class="primary" disabled={isBusy}>
          Sign in
        </button>
        <p class="hint">
          The secret does not leave this page. Requests are signed here, and a reload signs you out. The file{" "}
          <code>credentials</code> in the data folder has the key pair that <code>tarn serve</code> made.
        </p>
      </form>
    </main>
  );
}
