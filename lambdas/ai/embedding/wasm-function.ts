// An assembler for WebAssembly, as small as its one user needs: a module of one function over one memory. Instructions
// have the names of the specification (webassembly.github.io/spec, "Index of Instructions"), so that a program reads like
// its text format; nothing has to be built or downloaded, and there are no bytes that nobody can read.

const opcodes = {
  loop: [0x03, 0x40],
  br_if: [0x0d],
  end: [0x0b],
  'local.get': [0x20],
  'local.set': [0x21],
  'local.tee': [0x22],
  'i32.const': [0x41],
  'i32.store': [0x36],
  'i32.add': [0x6a],
  'i32.lt_u': [0x49],
  'v128.load': [0xfd, 0x00],
  'v128.const': [0xfd, 0x0c],
  'i32x4.extract_lane': [0xfd, 0x1b],
  'i16x8.extend_low_i8x16_s': [0xfd, 0x87, 0x01],
  'i16x8.extend_high_i8x16_s': [0xfd, 0x88, 0x01],
  'i32x4.add': [0xfd, 0xae, 0x01],
  'i32x4.dot_i16x8_s': [0xfd, 0xba, 0x01],
} as const;

/** The instruction, then what the specification calls its immediates: numbers. */
export type Instruction = readonly [keyof typeof opcodes, ...number[]];

const types = { i32: 0x7f, v128: 0x7b } as const;

export interface WasmFunction {
  /** How many numbers (i32) it takes; they are its first locals. */
  parameters: number;
  /** The types of its further locals. */
  locals: readonly (keyof typeof types)[];
  body: readonly Instruction[];
}

export interface WasmMemory {
  /** Another one after each growth; the one before is empty then. */
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** What is used of WebAssembly, which TypeScript knows of browsers only. */
interface WebAssemblyParts {
  Module: new (bytes: Uint8Array) => object;
  Memory: new (size: { initial: number; maximum: number }) => WasmMemory;
  Instance: new (
    module: object,
    imports: { memory: { memory: WasmMemory } },
  ) => { exports: { run: (...numbers: number[]) => void } };
}

const { Module, Memory, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyParts }).WebAssembly;

/** Makes instances of the function, each with a memory of its own: so many pages of 64 KB at most. */
export function wasmFunction(program: WasmFunction, mostPages: number) {
  const module = moduleOf(program);
  return () => {
    const memory = new Memory({ initial: 1, maximum: mostPages });
    const { run } = new Instance(module, { memory: { memory } }).exports;
    return { memory, run };
  };
}

/** It imports `memory.memory` and exports the function as `run`. */
function moduleOf({ parameters, locals, body }: WasmFunction): object {
  const signature = [0x60, ...vector(Array.from({ length: parameters }, () => [types.i32])), ...vector([])];
  const memory = [...name('memory'), ...name('memory'), 0x02, 0x00, 0x00];
  const code = [...vector(locals.map((type) => [1, types[type]])), ...body.flatMap(encoded), ...opcodes.end];
  return new Module(
    Uint8Array.from([
      ...[0x00, 0x61, 0x73, 0x6d],
      ...[0x01, 0x00, 0x00, 0x00],
      ...section(1, [signature]),
      ...section(2, [memory]),
      ...section(3, [[0]]),
      ...section(7, [[...name('run'), 0x00, 0]]),
      ...section(10, [[...unsigned(code.length), ...code]]),
    ]),
  );
}

function encoded([operation, ...numbers]: Instruction): number[] {
  // Constants are signed, or plain bytes; whatever else an instruction names is counted from zero.
  const encode = { 'i32.const': signed, 'v128.const': (byte: number) => [byte] }[operation as string] ?? unsigned;
  return [...opcodes[operation], ...numbers.flatMap(encode)];
}

function section(id: number, entries: readonly (readonly number[])[]): number[] {
  const content = vector(entries);
  return [id, ...unsigned(content.length), ...content];
}

function vector(entries: readonly (readonly number[])[]): number[] {
  return [...unsigned(entries.length), ...entries.flat()];
}

function name(text: string): number[] {
  return vector([...Buffer.from(text)].map((byte) => [byte]));
}

/** LEB128: seven bits per byte, the lowest first, the highest bit set while more follow. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  const isLast = value >= -0x40 && value < 0x40;
  return isLast ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}
