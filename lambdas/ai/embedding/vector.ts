// Vectors of texts: unit length, so that their dot product is their cosine. At rest a number takes one byte, which
// changes a cosine by about 0.002 and nothing about who is nearest.

export const dimensions = 384;

export type Vector = Float32Array;

/** Bytes of one stored vector: its scale, then one byte per dimension. */
export const packedBytes = 4 + dimensions;

export function normalize(values: Float32Array): Vector {
  let sum = 0;
  for (const value of values) sum += value * value;
  const length = Math.sqrt(sum);
  if (length === 0) return values;
  for (const [index, value] of values.entries()) values[index] = value / length;
  return values;
}

export function cosine(a: Vector, b: Vector): number {
  let sum = 0;
  for (let index = 0; index < dimensions; index++) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}

export function packVector(vector: Vector): Uint8Array {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const scale = largest === 0 ? 1 : largest / 127;
  const bytes = new Uint8Array(packedBytes);
  new DataView(bytes.buffer).setFloat32(0, scale, true);
  const numbers = new Int8Array(bytes.buffer, 4);
  for (const [index, value] of vector.entries()) numbers[index] = Math.round(value / scale);
  return bytes;
}

/** Packed again, it is the same bytes. */
export function unpackVector(bytes: Uint8Array): Vector {
  const scale = new DataView(bytes.buffer, bytes.byteOffset).getFloat32(0, true);
  return Float32Array.from(new Int8Array(bytes.buffer, bytes.byteOffset + 4, dimensions), (number) => number * scale);
}

/** As text of an attribute: nothing is rounded, since a threshold decides by it. */
export function toVectorBytes(vector: Vector): Uint8Array {
  return new Uint8Array(vector.buffer.slice(vector.byteOffset, vector.byteOffset + vector.byteLength));
}

export function fromVectorBytes(bytes: Uint8Array): Vector {
  const vector = new Float32Array(bytes.slice().buffer);
  if (vector.length !== dimensions) throw new Error('a stored vector has a length that no vector has');
  return vector;
}
