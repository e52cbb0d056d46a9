// JSONPath as the Amazon States Language uses it: names, indexes, unions, slices, wildcards, descent and filters. What
// is not understood is refused when the path is read, which happens for every path of a definition at start.
import { absent, type Filter, matches, type Operand, readFilter } from './json-path-filter.ts';
import { Scanner } from './scanner.ts';

export interface JsonPath {
  text: string;
  /** $ for the data, $$ for the context object. */
  root: '$' | '$$';
  segments: readonly Segment[];
  /** Can name one node at most; others give a list. */
  definite: boolean;
}

type Selector =
  | { kind: 'name'; name: string }
  | { kind: 'index'; index: number }
  | { kind: 'union'; members: readonly (string | number)[] }
  | { kind: 'slice'; start: number | undefined; end: number | undefined; step: number }
  | { kind: 'wildcard' }
  | { kind: 'filter'; filter: Filter };

export type Segment = Selector & { descend: boolean };

export { absent };

const known = new Map<string, JsonPath>();

/** Throws SyntaxProblem. */
export function readPath(text: string): JsonPath {
  const cached = known.get(text);
  if (cached) return cached;
  const scanner = new Scanner(text);
  const path = scanPath(scanner);
  if (!scanner.ended) scanner.fail('unexpected text');
  known.set(text, path);
  return path;
}

/** Reads a path from where the scanner stands, and stops where it ends. */
export function scanPath(scanner: Scanner, marker = '$'): JsonPath {
  const from = scanner.at;
  scanner.expect(marker);
  const root = marker === '$' && scanner.take('$') ? '$$' : '$';
  const segments: Segment[] = [];
  for (let segment = scanSegment(scanner); segment; segment = scanSegment(scanner)) segments.push(segment);
  const definite = segments.every(({ kind, descend }) => !descend && (kind === 'name' || kind === 'index'));
  return { text: scanner.text.slice(from, scanner.at), root, segments, definite };
}

/** The node of a definite path or `absent`; the list of nodes of any other. */
export function select(path: JsonPath, data: unknown): unknown {
  let nodes: unknown[] = [data];
  let single = true;
  for (const segment of path.segments) {
    const from = segment.descend ? nodes.flatMap(withDescendants) : nodes;
    nodes = from.flatMap((node) => step(segment, node, data));
    if (single && nodes.length === 0 && (segment.kind === 'name' || segment.kind === 'index')) return absent;
    if (segment.descend || (segment.kind !== 'name' && segment.kind !== 'index')) single = false;
  }
  return path.definite ? nodes[0] : nodes;
}

function scanSegment(scanner: Scanner): Segment | undefined {
  const descend = scanner.take('..');
  if (!descend && scanner.peek() !== '.' && scanner.peek() !== '[') return undefined;
  if (!descend) scanner.take('.');
  if (scanner.peek() === '[') return { descend, ...scanBracket(scanner) };
  if (scanner.take('*')) return { descend, kind: 'wildcard' };
  const name = scanner.match(/[\p{L}\p{N}_-]+/uy);
  if (!name) scanner.fail('expected a field name');
  if (scanner.peek() === '(') scanner.fail(`the function ${name}() is not supported in a path`);
  return { descend, kind: 'name', name: name! };
}

function scanBracket(scanner: Scanner): Selector {
  scanner.expect('[');
  scanner.skipSpace();
  const selector = scanSelector(scanner);
  scanner.skipSpace();
  scanner.expect(']');
  return selector;
}

function scanSelector(scanner: Scanner): Selector {
  if (scanner.take('*')) return { kind: 'wildcard' };
  if (scanner.take('?')) return { kind: 'filter', filter: readFilter(scanner, scanOperandPath) };
  const slice = scanner.match(/(-?\d+)?\s*:\s*(-?\d+)?(\s*:\s*(-?\d+)?)?/y);
  if (slice !== undefined) return readSlice(slice, scanner);
  const members = [scanMember(scanner)];
  for (scanner.skipSpace(); scanner.take(','); scanner.skipSpace()) {
    scanner.skipSpace();
    members.push(scanMember(scanner));
  }
  if (members.length > 1) return { kind: 'union', members };
  const [only] = members;
  return typeof only === 'number' ? { kind: 'index', index: only } : { kind: 'name', name: only! };
}

function scanOperandPath(scanner: Scanner): Operand {
  const marker = scanner.peek();
  const path = scanPath(scanner, marker);
  return marker === '@' ? (node) => select(path, node) : (_, root) => select(path, root);
}

function scanMember(scanner: Scanner): string | number {
  if (scanner.peek() === "'" || scanner.peek() === '"') return scanner.quoted();
  const index = scanner.match(/-?\d+/y);
  return index === undefined ? scanner.fail('expected a name, an index, a slice or a filter') : Number(index);
}

function readSlice(text: string, scanner: Scanner): Selector {
  const [start, end, step] = text.split(':').map((part) => (part.trim() === '' ? undefined : Number(part)));
  if (step !== undefined && step < 1) scanner.fail('a slice needs a positive step');
  return { kind: 'slice', start, end, step: step ?? 1 };
}

function step(segment: Segment, node: unknown, root: unknown): unknown[] {
  switch (segment.kind) {
    case 'name':
      return member(node, segment.name);
    case 'index':
      return member(node, segment.index);
    case 'union':
      return segment.members.flatMap((name) => member(node, name));
    case 'wildcard':
      return children(node);
    case 'filter':
      return children(node).filter((child) => matches(segment.filter, child, root));
    case 'slice':
      return Array.isArray(node) ? slice(node, segment) : [];
  }
}

function member(node: unknown, name: string | number): unknown[] {
  if (typeof name === 'number') {
    if (!Array.isArray(node)) return [];
    const index = name < 0 ? node.length + name : name;
    return index >= 0 && index < node.length ? [node[index]] : [];
  }
  if (node === null || typeof node !== 'object' || Array.isArray(node) || !Object.hasOwn(node, name)) return [];
  return [(node as Record<string, unknown>)[name]];
}

function slice(node: unknown[], { start, end, step: stride }: Extract<Selector, { kind: 'slice' }>): unknown[] {
  return node.slice(start, end).filter((_, index) => index % stride === 0);
}

function children(node: unknown): unknown[] {
  return node !== null && typeof node === 'object' ? Object.values(node) : [];
}

function withDescendants(node: unknown): unknown[] {
  return [node, ...children(node).flatMap(withDescendants)];
}
