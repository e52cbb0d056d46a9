import { dimensions, packedBytes, type Vector } from './vector.ts';

// Many packed vectors, one after the other in the memory of a WebAssembly module, and their cosines with a question in
// one call: 8 products at once instead of one (docs/decisions/0026). The scan is exact; only the question is rounded, to
// 16 bits, which changes a cosine by less than 0.0001.
//
// Memory: the question, one row of bytes per vector, and behind the last possible row the sums of the latest scan.

const questionBytes = 2 * dimensions;
const rowBytes = dimensions;
const sumBytes = 4;
const pageBytes = 65_536;
/** 1 GB holds 2.7 million vectors. */
const maxPages = 16_384;
const maxInt16 = 32_767;

export class VectorMatrix {
  private readonly scan = createVectorScan(maxPages);
  private rows = 0;
  private capacity = 0;
  private scales = new Float32Array();
  /** All of the memory, until it grows. */
  private memory = Buffer.alloc(0);

  get count(): number {
    return this.rows;
  }

  /** Adds the packed vector that starts there. Returns its row: the last one. */
  add(bytes: Uint8Array, start = 0): number {
    const end = start + packedBytes;
    if (bytes.byteLength < end) throw new Error('a stored vector has a length that no vector has');
    if (this.rows === this.capacity) this.grow();
    const row = this.rows++;
    const source = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes);
    this.scales[row] = source.readFloatLE(start);
    source.copy(this.memory, getRowStart(row), end - rowBytes, end);
    return row;
  }

  /** The last row takes the place of the removed one, so that there are no gaps. */
  remove(row: number): void {
    if (!(row >= 0 && row < this.rows)) throw new Error(`there is no row ${row}`);
    const last = --this.rows;
    this.scales[row] = this.scales[last] ?? 0;
    this.memory.copyWithin(getRowStart(row), getRowStart(last), getRowStart(last) + rowBytes);
  }

  clear(): void {
    this.rows = 0;
  }

  /** The cosine of every row. */
  cosines(vector: Vector): Float32Array {
    const { rows, scales, capacity } = this;
    const cosines = new Float32Array(rows);
    if (rows === 0) return cosines;
    const scale = this.ask(vector);
    this.scan.run(getRowStart(0), getRowStart(rows), getRowStart(capacity));
    const sums = new Int32Array(this.scan.memory.buffer, getRowStart(capacity), rows);
    for (let row = 0; row < rows; row++) cosines[row] = (sums[row] ?? 0) * (scales[row] ?? 0) * scale;
    return cosines;
  }

  /** Puts the question into the memory; what its numbers there are to be multiplied by. */
  private ask(vector: Vector): number {
    let largest = 0;
    for (const value of vector) largest = Math.max(largest, Math.abs(value));
    const scale = largest / maxInt16 || 1;
    const question = new Int16Array(this.scan.memory.buffer, 0, dimensions);
    for (const [index, value] of vector.entries()) question[index] = Math.round(value / scale);
    return scale;
  }

  /** A memory that cannot grow throws, and everything is as it was. Old views of it are dead. */
  private grow(): void {
    const capacity = Math.max(2 * this.capacity, 64);
    const pages = Math.ceil((getRowStart(capacity) + capacity * sumBytes) / pageBytes);
    const missing = pages - this.scan.memory.buffer.byteLength / pageBytes;
    if (missing > 0) this.scan.memory.grow(missing);
    this.memory = Buffer.from(this.scan.memory.buffer);
    const scales = new Float32Array(capacity);
    scales.set(this.scales);
    this.scales = scales;
    this.capacity = capacity;
  }
}

function getRowStart(row: number): number {
  return questionBytes + row * rowBytes;
}

// The SIMD loop of vector-scan.wat, built by wabt. test/unit/ai/vector-scan.test.ts rebuilds it and compares the bytes, so
// the build and the cold start need no compiler.
export const vectorScanModule =
  'AGFzbQEAAAABDAJgA39/fwBgAXsBfwISAQZtZW1vcnkGbWVtb3J5AgAAAwMCAAEHBwEDcnVuAAAK9gIC2QICAX8HewNAQQAhA/0MAAAAAAAA' +
  'AAAAAAAAAAAAACEH/QwAAAAAAAAAAAAAAAAAAAAAIQj9DAAAAAAAAAAAAAAAAAAAAAAhCf0MAAAAAAAAAAAAAAAAAAAAACEKA0AgA/0ABAAh' +
  'BCAD/QAEECEFIAD9AAQAIQYgByAG/YcBIAT9ugEgBv2IASAF/boB/a4B/a4BIQcgAP0ABIADIQYgCCAG/YcBIAT9ugEgBv2IASAF/boB/a4B' +
  '/a4BIQggAP0ABIAGIQYgCSAG/YcBIAT9ugEgBv2IASAF/boB/a4B/a4BIQkgAP0ABIAJIQYgCiAG/YcBIAT9ugEgBv2IASAF/boB/a4B/a4B' +
  'IQogAEEQaiEAIANBIGoiA0GABkkNAAsgAEGACWohACACIAcQATYCACACIAgQATYCBCACIAkQATYCCCACIAoQATYCDCACQRBqIQIgACABSQ0A' +
  'CwsZACAA/RsAIAD9GwFqIAD9GwIgAP0bA2pqCw==';

export interface VectorScan {
  memory: WasmMemory;
  /** Takes the first row, the end of the last row and the address of the sums; the question is at address 0. */
  run(row: number, end: number, sums: number): void;
}

export interface WasmMemory {
  /** Replaced by every growth; the old buffer is empty then. */
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The part of WebAssembly in use. TypeScript declares WebAssembly for browsers only. */
interface WebAssemblyApi {
  Module: new (bytes: Uint8Array) => object;
  Memory: new (size: { initial: number; maximum: number }) => WasmMemory;
  Instance: new (module: object, imports: { memory: { memory: WasmMemory } }) => { exports: Pick<VectorScan, 'run'> };
}

declare const WebAssembly: WebAssemblyApi;

let compiled: object | undefined;

/** Creates an instance with its own memory of at most `maxPages` pages of 64 KB. */
export function createVectorScan(maxPages: number): VectorScan {
  compiled ??= new WebAssembly.Module(Buffer.from(vectorScanModule, 'base64'));
  const memory = new WebAssembly.Memory({ initial: 1, maximum: maxPages });
  const { run } = new WebAssembly.Instance(compiled, { memory: { memory } }).exports;
  return { memory, run };
}
