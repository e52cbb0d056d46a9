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
