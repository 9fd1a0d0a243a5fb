import type { paths } from "./schema";
import { Signer, encode, type Unsigned } from "./signing";

/** The documents that the admin API answers with. */
export type Answer<P extends keyof paths, M extends keyof paths[P]> = paths[P][M] extends {
  responses: { [status in 200 | 201]?: { content: { "application/json": infer Document } } };
}
  ? Document
  : never;

/** A request was refused, or failed. The message is for the user. */
export class RequestError extends Error {
  constructor(
    message: string,
    readonly status: number,
    /** The error code of S3; empty for other failures. */
    readonly code = "",
  ) {
    super(message);
  }
}

/** A user who has signed in. It is in memory only: it ends with the page. */
export class Session {
  private constructor(
    private readonly signer: Signer,
    readonly isAdmin: boolean,
  ) {}

  /** Throws RequestError if the server does not know the key pair. */
  static async begin(accessKey: string, secretKey: string): Promise<Session> {
    const session = new Session(await Signer.of(accessKey, secretKey, location.host), true);
    try {
      await session.admin("GET", "/status");
      return session;
    } catch (e) {
      if (!(e instanceof RequestError) || e.status !== 403 || !e.message.includes("is no admin")) {
        throw e;
      }
      return new Session(session.signer, false);
    }
  }

  get accessKey(): string {
    return this.signer.accessKey;
  }

  /** Calls the admin API. The additional headers are not signed. */
  async admin<T = Record<string, never>>(
    method: string,
    path: string,
    document?: unknown,
    headers: Record<string, string> = {},
  ): Promise<T> {
    const body = document === undefined ? undefined : bytesOf(JSON.stringify(document));
    const signed = await this.signer.sign({ method, path: "/api/v1" + path, body });
    const response = await send("." + signed.target, {
      method,
      headers: { ...signed.headers, ...headers },
      ...(body && { body }),
    });
    const answer = (await response.json()) as { error?: { message: string } };
    if (!response.ok) {
      throw new RequestError(answer.error?.message ?? `The server answered ${response.status}.`, response.status);
    }
    return answer as T;
  }

  /** Calls the S3 API through the admin listener. */
  async s3(request: Unsigned): Promise<Response> {
    const signed = await this.signer.sign(request);
    const response = await send(throughAdmin(signed.target), {
      method: request.method,
      headers: signed.headers,
      ...(request.body && { body: request.body }),
    });
    if (!response.ok) {
      throw await s3Error(response);
    }
    return response;
  }

  /** An address from which the browser downloads an object, valid for a short time. */
  async download(path: string, query: [string, string][]): Promise<string> {
    return throughAdmin(await this.signer.presign(path, query, 60));
  }
}

/** The target is a parameter: a browser changes paths such as /a/../b before it sends them. */
function throughAdmin(target: string): string {
  return "./s3?target=" + encode(target);
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, cache: "no-store", credentials: "omit" });
  } catch {
    throw new RequestError("The server does not answer. It may be starting again; the page keeps trying.", 0);
  }
}

async function s3Error(response: Response): Promise<RequestError> {
  const body = await response.text();
  const document = new DOMParser().parseFromString(body, "application/xml");
  const message = document.querySelector("Error > Message")?.textContent;
  const code = document.querySelector("Error > Code")?.textContent ?? "";
  return new RequestError(message ?? (body.slice(0, 300) || `The server answered ${response.status}.`), response.status, code);
}

function bytesOf(value: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(value);
}
