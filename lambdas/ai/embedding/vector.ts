// Vectors of texts have unit length, so that their dot product is their cosine. Packed vectors have one byte per dimension,
// which changes a cosine by about 0.002 and hardly ever the order of results.

export const dimensions = 384;

export type Vector = Float32Array;

/** A packed vector: its scale, then one byte per dimension. */
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
  const scale = findMaxAbsolute(vector) / 127 || 1;
  const bytes = new Uint8Array(packedBytes);
  new DataView(bytes.buffer).setFloat32(0, scale, true);
  const numbers = new Int8Array(bytes.buffer, 4);
  for (const [index, value] of vector.entries()) numbers[index] = Math.round(value / scale);
  return bytes;
}

export function findMaxAbsolute(vector: Vector): number {
  let max = 0;
  for (const value of vector) {
    if (value > max) max = value;
    else if (-value > max) max = -value;
  }
  return max;
}

/** `packVector` returns the same bytes for the result. */
export function unpackVector(bytes: Uint8Array): Vector {
  const scale = new DataView(bytes.buffer, bytes.byteOffset).getFloat32(0, true);
  return Float32Array.from(new Int8Array(bytes.buffer, bytes.byteOffset + 4, dimensions), (number) => number * scale);
}

/** Does not round, because cosines of these vectors are compared with a threshold. */
export function toVectorBytes({ buffer, byteOffset, byteLength }: Vector): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

export function fromVectorBytes(bytes: Uint8Array): Vector {
  const vector = new Float32Array(bytes.slice().buffer);
  if (vector.length !== dimensions) throw new Error('a stored vector has the wrong length');
  return vector;
}
