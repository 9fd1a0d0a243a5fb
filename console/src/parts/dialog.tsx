import type { ComponentChildren, InputHTMLAttributes, SubmitEventHandler } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { messageOf } from "../load";

interface Properties {
  title: string;
  confirm: string;
  isDangerous?: boolean;
  onConfirm: (fields: FormData) => Promise<void>;
  onClose: () => void;
  children: ComponentChildren;
}

/** Asks before it does something. It stays open, with the reason, if that fails. */
export function Dialog({ title, confirm, isDangerous, onConfirm, onClose, children }: Properties) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);

  const submit: SubmitEventHandler<HTMLFormElement> = async (event) => {
    event.preventDefault();
    setBusy(true);
    try {
      await onConfirm(new FormData(event.currentTarget));
      onClose();
    } catch (e) {
      setProblem(messageOf(e));
      setBusy(false);
    }
  };

  return (
    <dialog ref={dialog} aria-labelledby="dialog-title" onClose={onClose}>
      <form onSubmit={submit}>
        <h2 id="dialog-title">{title}</h2>
        {children}
        <Problem text={problem} />
        <p class="actions">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class={isDangerous ? "danger" : "primary"} disabled={isBusy}>
            {confirm}
          </button>
        </p>
      </form>
    </dialog>
  );
}

/** Why something failed; nothing if it did not. */
export function Problem({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}

/** A field of a form with its label. */
export function Field({ label, hint, ...input }: { label: string; hint?: string } & InputHTMLAttributes) {
  return (
    <label class="field">
      <span>{label}</span>
      <input {...input} />
      {hint && <small>{hint}</small>}
    </label>
  );
}
