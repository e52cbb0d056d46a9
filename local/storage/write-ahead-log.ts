// Reads the write-ahead log as SQLite's recovery does. SQLite stops silently at the first bad checksum; this code can
// distinguish damage from an incomplete last write, because it knows how far the log was flushed.
// The format is documented at https://www.sqlite.org/fileformat2.html#walformat and /walformat.html.
import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';

/** The written length of a log; the salt identifies the log. */
export interface LogPosition {
  salt: string;
  frames: number;
}

export interface ScannedLog extends LogPosition {
  /** Bytes of the header and of the intact frames. */
  bytes: number;
}

const headerBytes = 32;
const frameHeaderBytes = 24;
const magic = 0x377f0682;
const framesPerRead = 256;

/** The intact frames from the start of the log; undefined when its header is missing or damaged. */
export function scanLog(file: number, maxFrames = Number.POSITIVE_INFINITY): ScannedLog | undefined {
  const header = Buffer.alloc(headerBytes);
  if (readSync(file, header, 0, headerBytes, 0) < headerBytes) return undefined;
  // The lowest bit is the byte order of the checksums; all supported machines are little-endian.
  if (header.readUInt32BE(0) !== magic) return undefined;
  let sums = addChecksums(header, 0, 24, [0, 0]);
  if (!hasChecksums(header, 24, sums)) return undefined;
  const salt = header.toString('hex', 16, 24);
  const frameBytes = frameHeaderBytes + header.readUInt32BE(8);
  const chunk = Buffer.alloc(frameBytes * framesPerRead);
  for (let frames = 0; ; ) {
    const position = headerBytes + frames * frameBytes;
    const complete = Math.floor(readSync(file, chunk, 0, chunk.length, position) / frameBytes);
    for (let index = 0; index < complete; index++, frames++) {
      const start = index * frameBytes;
      const found = { salt, frames, bytes: headerBytes + frames * frameBytes };
      if (frames >= maxFrames || chunk.toString('hex', start + 8, start + 16) !== salt) return found;
      sums = addChecksums(chunk, start, 8, sums);
      sums = addChecksums(chunk, start + frameHeaderBytes, frameBytes - frameHeaderBytes, sums);
      if (!hasChecksums(chunk, start + 16, sums)) return found;
    }
    if (complete < framesPerRead) return { salt, frames, bytes: headerBytes + frames * frameBytes };
  }
}

/** Reads SQLite's current position from the header of its shared index (walformat.html, 2.1). */
export function readPosition(indexFile: number): LogPosition {
  const header = Buffer.alloc(48);
  readSync(indexFile, header, 0, header.length, 0);
  return { salt: header.toString('hex', 32, 40), frames: header.readUInt32LE(16) };
}

/** Reads the beginning of the log into memory. */
export function readLog(file: number, bytes: number): Buffer {
  const log = Buffer.alloc(bytes);
  for (let done = 0; done < bytes; ) {
    const read = readSync(file, log, done, bytes - done, done);
    if (read === 0) throw new Error('the write-ahead log shrank');
    done += read;
  }
  return log;
}

/** Writes a new file and flushes it. */
export function writeLog(target: string, log: Buffer): void {
  const file = openSync(target, 'w', 0o600);
  try {
    for (let done = 0; done < log.length; ) done += writeSync(file, log, done);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

type Sums = readonly [number, number];

function addChecksums(bytes: Buffer, start: number, length: number, [first, second]: Sums): Sums {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + start, length / 4);
  let [a, b] = [first, second];
  for (let index = 0; index < words.length; index += 2) {
    a = (a + (words[index] ?? 0) + b) | 0;
    b = (b + (words[index + 1] ?? 0) + a) | 0;
  }
  return [a, b];
}

function hasChecksums(bytes: Buffer, start: number, [first, second]: Sums): boolean {
  return bytes.readInt32BE(start) === first && bytes.readInt32BE(start + 4) === second;
}
