import { useEffect, useState } from "preact/hooks";
import { bytes, count } from "../format";
import { messageOf, useLoaded } from "../load";
import { Problem } from "../parts/dialog";
import type { Member } from "./names";
import type { Ranges } from "./stored";

const WHOLE_BYTES_MAX = 4 << 20;
const TEXT_BYTES_MAX = 4096;
const SAMPLE_BYTES_MAX = 16 << 20;
/** Members of one sample are read together if what lies between them has at most so many bytes. */
const GAP_MAX = 64 << 10;
const MEMBERS_SHOWN_MAX = 20;
const SAVED_BYTES_MAX = 512 << 20;

const IMAGES = new Map([
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["png", "image/png"],
  ["gif", "image/gif"],
  ["webp", "image/webp"],
  ["bmp", "image/bmp"],
  ["avif", "image/avif"],
]);
const SOUNDS = new Map([
  ["wav", "audio/wav"],
  ["mp3", "audio/mpeg"],
  ["flac", "audio/flac"],
  ["ogg", "audio/ogg"],
  ["opus", "audio/ogg"],
  ["m4a", "audio/mp4"],
]);
const NUMBERS = ["cls", "cls2", "index", "inx", "id"];
const TEXTS = ["txt", "text", "transcript", "caption", "json", "jsn", "jsonl", "csv", "tsv", "xml", "html", "svg", "md", "yaml", "yml"];

type Kind = "image" | "sound" | "number" | "text" | "array" | "other";

function kindOf(extension: string): { kind: Kind; type: string } {
  const last = extension.slice(extension.lastIndexOf(".") + 1);
  const kind: Kind =
    IMAGES.has(last)
      ? "image"
      : SOUNDS.has(last)
        ? "sound"
        : NUMBERS.includes(last)
          ? "number"
          : TEXTS.includes(last)
            ? "text"
            : last === "npy"
              ? "array"
              : "other";
  return { kind, type: IMAGES.get(last) ?? SOUNDS.get(last) ?? "text/plain" };
}

/** How many bytes of a member the page shows; 0 if it shows none. */
function shownBytes(member: Member): number {
  switch (kindOf(member.extension).kind) {
    case "image":
    case "sound":
      return member.size <= WHOLE_BYTES_MAX ? member.size : 0;
    case "other":
      return 0;
    default:
      return Math.min(member.size, TEXT_BYTES_MAX);
  }
}

/** Reads what the page shows of some members, close neighbours in one request. */
export async function readShown(content: Ranges, members: Member[]): Promise<Map<Member, Uint8Array<ArrayBuffer>>> {
  const groups: Member[][] = [];
  let end = -Infinity;
  let budget = SAMPLE_BYTES_MAX;
  const affordable = members.filter((member) => shownBytes(member) > 0 && (budget -= shownBytes(member)) >= 0);
  const inPlace = affordable.sort((a, b) => a.offset - b.offset);
  for (const member of inPlace) {
    if (member.offset - end > GAP_MAX) {
      groups.push([]);
    }
    groups.at(-1)!.push(member);
    end = Math.max(end, member.offset + shownBytes(member));
  }
  const read = await Promise.all(
    groups.map(async (group) => {
      const from = group[0]!.offset;
      const part = await content.read(from, Math.max(...group.map((member) => member.offset + shownBytes(member))));
      return group.map((member): [Member, Uint8Array<ArrayBuffer>] => {
        const start = member.offset - from;
        return [member, part.slice(start, start + shownBytes(member))];
      });
    }),
  );
  return new Map(read.flat());
}

interface Properties {
  member: Member;
  /** What readShown gave; undefined if that is nothing. */
  shown: Uint8Array<ArrayBuffer> | undefined;
  content: Ranges;
  classes: string[];
}

/** A member by its extension: a picture, a player, a text, a number; its size, and a button that saves it. */
export function Preview({ member, shown, content, classes }: Properties) {
  const [problem, setProblem] = useState<string>();
  const save = async () => {
    try {
      if (member.size > SAVED_BYTES_MAX) {
        throw new Error(`It has ${bytes(member.size)}, the limit is ${bytes(SAVED_BYTES_MAX)}. Use: sharder cat`);
      }
      saveAs(member.name, await content.read(member.offset, member.offset + member.size));
    } catch (e) {
      setProblem(messageOf(e));
    }
  };
  return (
    <div class="member">
      {shown !== undefined && <Shown member={member} bytes={shown} classes={classes} />}
      <p class="actions">
        <code>{member.extension || "(no extension)"}</code>
        <small>{bytes(member.size)}</small>
        <button class="link" onClick={save} aria-label={"Save " + member.name}>
          Save
        </button>
      </p>
      <Problem text={problem} />
    </div>
  );
}

function Shown({ member, bytes: content, classes }: { member: Member; bytes: Uint8Array<ArrayBuffer>; classes: string[] }) {
  const { kind, type } = kindOf(member.extension);
  switch (kind) {
    case "image":
    case "sound":
      return <Media isImage={kind === "image"} name={member.name} type={type} content={content} />;
    case "number":
      return <p class="number-shown">{numberText(content, classes)}</p>;
    case "array":
      return <pre>{arrayText(content)}</pre>;
    default:
      return (
        <pre tabIndex={0}>
          {new TextDecoder().decode(content)}
          {member.size > content.length && "\n…"}
        </pre>
      );
  }
}

/** The browser decodes it. The address is of this page, and ends with this component. */
function Media({ isImage, name, type, content }: { isImage: boolean; name: string; type: string; content: Uint8Array<ArrayBuffer> }) {
  const [address, setAddress] = useState<string>();
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([content], { type }));
    setAddress(made);
    setBroken(false);
    return () => URL.revokeObjectURL(made);
  }, [content, type]);
  if (isBroken) {
    return <p class="problem">The browser cannot decode {name}.</p>;
  }
  return isImage ? (
    <img src={address} alt={name} onError={() => setBroken(true)} />
  ) : (
    <audio src={address} aria-label={name} controls preload="metadata" onError={() => setBroken(true)} />
  );
}

function numberText(content: Uint8Array, classes: string[]): string {
  const text = new TextDecoder().decode(content).trim();
  const name = /^\d+$/.test(text) ? classes[Number(text)] : undefined;
  return name === undefined ? text : `${text} (${name})`;
}

/** The type and shape of a NumPy array, and its first values. */
function arrayText(content: Uint8Array<ArrayBuffer>): string {
  const isArray = content[0] === 0x93 && new TextDecoder().decode(content.subarray(1, 6)) === "NUMPY";
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  if (!isArray || content.length < 12) {
    return "no NumPy array";
  }
  const begin = content[6]! > 1 ? 12 : 10;
  const end = begin + (begin === 12 ? view.getUint32(8, true) : view.getUint16(8, true));
  const header = new TextDecoder().decode(content.subarray(begin, end));
  const type = /'descr':\s*'([^']*)'/.exec(header)?.[1] ?? "?";
  const shape = /'shape':\s*\(([^)]*)\)/.exec(header)?.[1] ?? "?";
  return `${type} [${shape.replace(/,\s*$/, "")}]\n${values(view, end, type).join(" ")}`;
}

const VALUES_MAX = 12;

function values(view: DataView, from: number, type: string): string[] {
  const isLittle = !type.startsWith(">");
  const readers: [string, [number, (at: number) => number]][] = [
    ["f4", [4, (at) => view.getFloat32(at, isLittle)]],
    ["f8", [8, (at) => view.getFloat64(at, isLittle)]],
    ["i1", [1, (at) => view.getInt8(at)]],
    ["i2", [2, (at) => view.getInt16(at, isLittle)]],
    ["i4", [4, (at) => view.getInt32(at, isLittle)]],
    ["i8", [8, (at) => Number(view.getBigInt64(at, isLittle))]],
    ["u1", [1, (at) => view.getUint8(at)]],
    ["u2", [2, (at) => view.getUint16(at, isLittle)]],
    ["u4", [4, (at) => view.getUint32(at, isLittle)]],
    ["u8", [8, (at) => Number(view.getBigUint64(at, isLittle))]],
    ["b1", [1, (at) => view.getUint8(at)]],
  ];
  const reader = new Map(readers).get(type.slice(1));
  const shown: string[] = [];
  if (reader !== undefined) {
    const [width, read] = reader;
    for (let at = from; at + width <= view.byteLength && shown.length < VALUES_MAX; at += width) {
      shown.push(String(Number(read(at).toPrecision(6))));
    }
  }
  return shown;
}

function saveAs(name: string, content: Uint8Array<ArrayBuffer>): void {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(new Blob([content], { type: "application/octet-stream" }));
  anchor.download = name.slice(name.lastIndexOf("/") + 1);
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 60_000);
}

/** What says most comes first: pictures and sounds, then the others as they are stored. */
function inOrder(members: Member[]): Member[] {
  const isMedia = (member: Member) => ["image", "sound"].includes(kindOf(member.extension).kind);
  return [...members].sort((a, b) => Number(isMedia(b)) - Number(isMedia(a))).slice(0, MEMBERS_SHOWN_MAX);
}

/** What is shown of the members of one sample; loaded when the sample changes. */
export function Members({ content, members, classes }: { content: Ranges; members: Member[]; classes: string[] }) {
  const shown = inOrder(members);
  const key = shown.map((member) => member.name + member.offset).join("\n");
  const { value, problem } = useLoaded(() => readShown(content, shown), key);
  return (
    <>
      <Problem text={problem} />
      {shown.map((member) => (
        <Preview key={member.name} member={member} shown={value?.get(member)} content={content} classes={classes} />
      ))}
      {members.length > MEMBERS_SHOWN_MAX && <p>and {count(members.length - MEMBERS_SHOWN_MAX)} more members</p>}
    </>
  );
}
