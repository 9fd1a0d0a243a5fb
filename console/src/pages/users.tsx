import { useState } from "preact/hooks";
import type { PageProperties } from "../app";
import { time } from "../format";
import { messageOf, useLoaded } from "../load";
import { Dialog, Field, Problem } from "../parts/dialog";
import { Table } from "../parts/table";
import type { Answer, Session } from "../session";
import { encode } from "../signing";

type Users = Answer<"/api/v1/users", "get">;
type Keys = Answer<"/api/v1/keys", "get">;
type Created = Answer<"/api/v1/keys", "post">;

/** A step that the page asks about. */
type Asked =
  | { step: "create user" }
  | { step: "delete user" | "create key"; user: string }
  | { step: "rotate key"; key: string; user: string }
  | { step: "disable key" | "delete key"; key: string };

/** Users with their access keys. */
export function UsersPage({ session }: PageProperties) {
  const { value, problem, reload } = useLoaded(
    async () => ({
      users: (await session.admin<Users>("GET", "/users")).users,
      keys: (await session.admin<Keys>("GET", "/keys")).keys,
    }),
    "users",
  );
  const [asked, setAsked] = useState<Asked>();
  const [created, setCreated] = useState<Created>();
  const [failure, setFailure] = useState<string>();
  const enable = async (key: string) => {
    try {
      await session.admin("PATCH", "/keys/" + encode(key), { active: true });
      setFailure(undefined);
      reload();
    } catch (e) {
      setFailure(messageOf(e));
    }
  };
  return (
    <>
      <div class="heading">
        <h1>Users</h1>
        <button class="primary" onClick={() => setAsked({ step: "create user" })}>
          Create user
        </button>
      </div>
      <Problem text={failure ?? problem} />
      {created && <Secret created={created} onClose={() => setCreated(undefined)} />}
      {value && (
        <>
          <Table
            caption="Users"
            columns={[
              { heading: "User", cell: (user) => user.name },
              { heading: "Admin", cell: (user) => (user.admin ? "yes" : "no") },
              { heading: "Keys", isNumber: true, cell: (user) => value.keys.filter((key) => key.user === user.name).length },
              {
                heading: "Actions",
                cell: (user) => (
                  <>
                    <button onClick={() => setAsked({ step: "create key", user: user.name })}>Create key</button>
                    <button onClick={() => setAsked({ step: "delete user", user: user.name })}>Delete</button>
                  </>
                ),
              },
            ]}
            rows={value.users}
            keyOf={(user) => user.name}
            empty="There is no user."
          />
          <h2>Access keys</h2>
          <p class="hint">
            To rotate a key, create its successor, bring it to the programs that use the old key, then disable the old key. Delete it when
            nothing misses it. A user whose keys are all disabled cannot sign in.
          </p>
          <Table
            caption="Access keys"
            columns={[
              { heading: "Access key", cell: (key) => key.id },
              { heading: "User", cell: (key) => key.user },
              { heading: "Created", cell: (key) => time(key.created) },
              { heading: "State", cell: (key) => (key.active ? "active" : "disabled") },
              {
                heading: "Actions",
                cell: (key) =>
                  key.id === session.accessKey ? (
                    "yours"
                  ) : (
                    <>
                      <button onClick={() => setAsked({ step: "rotate key", key: key.id, user: key.user })} aria-label={"Rotate key " + key.id}>
                        Rotate
                      </button>
                      {key.active ? (
                        <button onClick={() => setAsked({ step: "disable key", key: key.id })} aria-label={"Disable key " + key.id}>
                          Disable
                        </button>
                      ) : (
                        <button onClick={() => enable(key.id)} aria-label={"Enable key " + key.id}>
                          Enable
                        </button>
                      )}
                      <button onClick={() => setAsked({ step: "delete key", key: key.id })} aria-label={"Delete key " + key.id}>
                        Delete
                      </button>
                    </>
                  ),
              },
            ]}
            rows={value.keys}
            keyOf={(key) => key.id}
            empty="There is no access key."
          />
        </>
      )}
      {asked && (
        <StepDialog
          session={session}
          asked={asked}
          onClose={() => setAsked(undefined)}
          onDone={(key) => {
            setCreated(key);
            reload();
          }}
        />
      )}
    </>
  );
}

interface StepProperties {
  session: Session;
  asked: Asked;
  onDone: (key: Created | undefined) => void;
  onClose: () => void;
}

function StepDialog({ session, asked, onDone, onClose }: StepProperties) {
  switch (asked.step) {
    case "create user":
      return (
        <Dialog
          title="Create a user"
          confirm="Create"
          onClose={onClose}
          onConfirm={async (fields) => {
            const name = String(fields.get("name"));
            await session.admin("POST", "/users", { name, admin: fields.has("admin") });
            onDone(await session.admin<Created>("POST", "/keys", { user: name }));
          }}
        >
          <Field label="Name" name="name" required spellcheck={false} hint="The user gets an access key at once." />
          <label class="field check">
            <input type="checkbox" name="admin" /> <span>Admin</span>
            <small>May change users, buckets and the cluster.</small>
          </label>
        </Dialog>
      );
    case "create key":
      return (
        <Dialog
          title={`Create an access key for ${asked.user}?`}
          confirm="Create"
          onClose={onClose}
          onConfirm={async () => onDone(await session.admin<Created>("POST", "/keys", { user: asked.user }))}
        >
          <p>The secret is shown once.</p>
        </Dialog>
      );
    case "rotate key":
      return (
        <Dialog
          title={`Create a successor of this key for ${asked.user}?`}
          confirm="Create"
          onClose={onClose}
          onConfirm={async () => onDone(await session.admin<Created>("POST", "/keys", { user: asked.user }))}
        >
          <p>
            <code>{asked.key}</code> stays active until you disable it.
          </p>
        </Dialog>
      );
    case "disable key":
      return (
        <Dialog
          title="Disable this access key?"
          confirm="Disable"
          isDangerous
          onClose={onClose}
          onConfirm={async () => {
            await session.admin("PATCH", "/keys/" + encode(asked.key), { active: false });
            onDone(undefined);
          }}
        >
          <p>
            <code>{asked.key}</code>: programs that use it are refused until you enable it again.
          </p>
        </Dialog>
      );
    case "delete user":
      return (
        <Dialog
          title={`Delete user ${asked.user}?`}
          confirm="Delete"
          isDangerous
          onClose={onClose}
          onConfirm={async () => {
            await session.admin("DELETE", "/users/" + encode(asked.user));
            onDone(undefined);
          }}
        >
          <p>A user who owns buckets cannot be deleted.</p>
        </Dialog>
      );
    case "delete key":
      return (
        <Dialog
          title="Delete this access key?"
          confirm="Delete"
          isDangerous
          onClose={onClose}
          onConfirm={async () => {
            await session.admin("DELETE", "/keys/" + encode(asked.key));
            onDone(undefined);
          }}
        >
          <p>
            <code>{asked.key}</code>: programs that use it are refused at once.
          </p>
        </Dialog>
      );
  }
}

function Secret({ created, onClose }: { created: Created; onClose: () => void }) {
  return (
    <section class="secret" role="status">
      <h2>Key pair of {created.user}</h2>
      <p>Copy the secret now. It is not shown again.</p>
      <dl>
        <dt>Access key</dt>
        <dd>
          <code>{created.id}</code>
        </dd>
        <dt>Secret key</dt>
        <dd>
          <code>{created.secret}</code>
        </dd>
      </dl>
      <button onClick={onClose}>I have copied it</button>
    </section>
  );
}
