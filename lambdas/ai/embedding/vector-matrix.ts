import { dimensions, findMaxAbsolute, packedBytes, type Vector } from './vector.ts';

// Computes the cosines of a query with many packed vectors in one call of a WebAssembly module with SIMD instructions
// (docs/decisions/0042). The scan is exact; only the query is rounded, to 16 bits, which changes a cosine by less than
// 0.0001.
//
// Memory: the query, one row of bytes per vector, and after the last possible row the sums of the latest scan.

const queryBytes = 2 * dimensions;
const rowBytes = dimensions;
const sumBytes = 4;
const pageBytes = 65_536;
/** 1 GB holds 2.7 million vectors. */
const maxPages = 16_384;
const maxInt16 = 32_767;

export class VectorMatrix {
  private readonly scan = createVectorScan();
  private rows = 0;
  private capacity = 0;
  private scales = new Float32Array();
  /** A view of the whole memory, replaced when it grows. */
  private memory = Buffer.alloc(0);

  get count(): number {
    return this.rows;
  }

  /** Adds the packed vector at `start`. Returns its row. */
  add(bytes: Uint8Array, start = 0): number {
    const end = start + packedBytes;
    if (bytes.byteLength < end) throw new Error('a stored vector has the wrong length');
    if (this.rows === this.capacity) this.grow();
    const row = this.rows++;
    const source = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes);
    this.scales[row] = source.readFloatLE(start);
    source.copy(this.memory, getRowStart(row), end - rowBytes, end);
    return row;
  }

  /** The last row replaces the removed one. */
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
    const scale = this.writeQuery(vector);
    this.scan.run(getRowStart(0), getRowStart(rows), getRowStart(capacity));
    const sums = new Int32Array(this.scan.memory.buffer, getRowStart(capacity), rows);
    for (let row = 0; row < rows; row++) cosines[row] = (sums[row] ?? 0) * (scales[row] ?? 0) * scale;
    return cosines;
  }

  /** Returns the scale of the rounded query. */
  private writeQuery(vector: Vector): number {
    const scale = findMaxAbsolute(vector) / maxInt16 || 1;
    const query = new Int16Array(this.scan.memory.buffer, 0, dimensions);
    for (const [index, value] of vector.entries()) query[index] = Math.round(value / scale);
    return scale;
  }

  /** Changes nothing if the memory cannot grow. Growth detaches earlier views of it. */
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
  return queryBytes + row * rowBytes;
}

// Built by wabt from vector-scan.wat. test/unit/ai/vector-scan.test.ts rebuilds it and compares the bytes, so the build and
// the cold start need no compiler.
export const vectorScanModule =
  'AGFzbQEAAAABDAJgA39/fwBgAXsBfwISAQZtZW1vcnkGbWVtb3J5AgAAAwMCAAEHBwEDcnVuAAAK9gIC2QICAX8HewNAQQAhA/0MAAAAAAAA' +
  'AAAAAAAAAAAAACEH/QwAAAAAAAAAAAAAAAAAAAAAIQj9DAAAAAAAAAAAAAAAAAAAAAAhCf0MAAAAAAAAAAAAAAAAAAAAACEKA0AgA/0ABAAh' +
  'BCAD/QAEECEFIAD9AAQAIQYgByAG/YcBIAT9ugEgBv2IASAF/boB/a4B/a4BIQcgAP0ABIADIQYgCCAG/YcBIAT9ugEgBv2IASAF/boB/a4B' +
  '/a4BIQggAP0ABIAGIQYgCSAG/YcBIAT9ugEgBv2IASAF/boB/a4B/a4BIQkgAP0ABIAJIQYgCiAG/YcBIAT9ugEgBv2IASAF/boB/a4B/a4B' +
  'IQogAEEQaiEAIANBIGoiA0GABkkNAAsgAEGACWohACACIAcQATYCACACIAgQATYCBCACIAkQATYCCCACIAoQATYCDCACQRBqIQIgACABSQ0A' +
  'CwsZACAA/RsAIAD9GwFqIAD9GwIgAP0bA2pqCw==';

interface VectorScan {
  memory: WasmMemory;
  /** Takes the addresses of the first row, of the end of the last row, and of the sums. The query is at address 0. */
  run(row: number, end: number, sums: number): void;
}

interface WasmMemory {
  /** Replaced by every growth. */
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** TypeScript declares WebAssembly for browsers only. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Memory: new (size: { initial: number; maximum: number }) => WasmMemory;
  Instance: new (module: object, imports: { memory: { memory: WasmMemory } }) => { exports: Pick<VectorScan, 'run'> };
};

let compiled: object | undefined;

function createVectorScan(): VectorScan {
  compiled ??= new WebAssembly.Module(Buffer.from(vectorScanModule, 'base64'));
  const memory = new WebAssembly.Memory({ initial: 1, maximum: maxPages });
  const { run } = new WebAssembly.Instance(compiled, { memory: { memory } }).exports;
  return { memory, run };
}
