import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";

/** The width and height of each picture. */
export const SIDE = 48;

/** A picture of rings, whose place and colour are made of the number. */
export function png(number: number): Buffer {
  const side = SIDE;
  const [left, top, hue] = [(number * 7) % side, (number * 11) % side, number % 64];
  const rows = Buffer.alloc(side * (side * 3 + 1));
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const ring = Math.hypot(x - left, y - top) / 5;
      const shade = 4 * Math.round(16 + 15 * Math.sin(ring));
      rows.set([shade + hue, 255 - shade, 2 * hue + shade / 2], y * (side * 3 + 1) + 1 + x * 3);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows, { level: 1 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), content]);
  const framed = Buffer.alloc(typed.length + 8);
  framed.writeUInt32BE(content.length, 0);
  framed.set(typed, 4);
  framed.writeUInt32BE(crc32(typed), typed.length + 4);
  return framed;
}

/** A tenth of a second of a tone. */
export function wav(): Buffer {
  const samples = 800;
  const file = Buffer.alloc(44 + samples);
  file.write("RIFF", 0);
  file.writeUInt32LE(36 + samples, 4);
  file.write("WAVEfmt ", 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(8000, 24);
  file.writeUInt32LE(8000, 28);
  file.writeUInt16LE(1, 32);
  file.writeUInt16LE(8, 34);
  file.write("data", 36);
  file.writeUInt32LE(samples, 40);
  for (let i = 0; i < samples; i++) {
    file[44 + i] = 128 + Math.round(100 * Math.sin(i / 3));
  }
  return file;
}

/** A NumPy array of two rows of numbers. */
export function npy(): Buffer {
  const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }".padEnd(117) + "\n";
  const values = Buffer.alloc(16);
  [1, 2.5, -3, 0.125].forEach((value, i) => values.writeFloatLE(value, i * 4));
  const start = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length, 0]);
  return Buffer.concat([start, Buffer.from(header), values]);
}

/** Fills a folder with so many pictures in two classes, each with a text. The numbers have five digits. */
export function writePictures(folder: string, count: number): void {
  for (const name of ["cat", "dog"]) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  for (let number = 0; number < count; number++) {
    const name = join(folder, number % 3 === 0 ? "cat" : "dog", String(number).padStart(5, "0"));
    writeFileSync(name + ".png", png(number));
    writeFileSync(name + ".json", JSON.stringify({ caption: `picture ${number}`, markup: "<b>bold</b>" }));
  }
}
