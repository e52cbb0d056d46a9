import { dimensions, packedBytes, type Vector } from './vector.ts';
import { createVectorScan } from './vector-scan.ts';

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

  get count(): number {
    return this.rows;
  }

  /** The row of the new vector: the last one. */
  add(packedVector: Uint8Array): number {
    if (packedVector.byteLength !== packedBytes) throw new Error('a stored vector has a length that no vector has');
    if (this.rows === this.capacity) this.grow();
    const row = this.rows++;
    this.scales[row] = new DataView(packedVector.buffer, packedVector.byteOffset).getFloat32(0, true);
    new Uint8Array(this.scan.memory.buffer, getRowStart(row), rowBytes).set(
      packedVector.subarray(packedBytes - rowBytes),
    );
    return row;
  }

  /** The last row takes the place of the removed one, so that there are no gaps. */
  remove(row: number): void {
    if (!(row >= 0 && row < this.rows)) throw new Error(`there is no row ${row}`);
    const last = --this.rows;
    this.scales[row] = this.scales[last] ?? 0;
    new Uint8Array(this.scan.memory.buffer).copyWithin(
      getRowStart(row),
      getRowStart(last),
      getRowStart(last) + rowBytes,
    );
  }

  /** A copy of the packed vector. */
  get(row: number): Uint8Array {
    const packedVector = new Uint8Array(packedBytes);
    new DataView(packedVector.buffer).setFloat32(0, this.scales[row] ?? 0, true);
    packedVector.set(new Uint8Array(this.scan.memory.buffer, getRowStart(row), rowBytes), packedBytes - rowBytes);
    return packedVector;
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

  /** A memory that cannot grow throws, and everything is as it was. Old views of it are dead: none is ever kept. */
  private grow(): void {
    const capacity = Math.max(2 * this.capacity, 64);
    const pages = Math.ceil((getRowStart(capacity) + capacity * sumBytes) / pageBytes);
    const missing = pages - this.scan.memory.buffer.byteLength / pageBytes;
    if (missing > 0) this.scan.memory.grow(missing);
    const scales = new Float32Array(capacity);
    scales.set(this.scales);
    this.scales = scales;
    this.capacity = capacity;
  }
}

function getRowStart(row: number): number {
  return questionBytes + row * rowBytes;
}
