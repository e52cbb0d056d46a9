// Turns a valid request into a hostile one with a single change.
import type { Operation } from '../../contract/operation.ts';
import type { Random } from '../support/random.ts';
import {
  authorizations,
  brokenBodies,
  contentTypes,
  extraHeaders,
  headerValues,
  hostileLiterals,
  hostileTexts,
  hostileValues,
  inheritedNames,
  otherMethods,
  pathSegments,
} from './hostile-values.ts';

export interface Draft {
  operation: Operation;
  method: string;
  /** Encoded, relative to the API root. */
  path: string;
  /** Encoded pairs. */
  query: string[];
  headers: [string, string][];
  /** The body as JSON while `body` is undefined. */
  json: unknown;
  body: string | Buffer | undefined;
  /** Whether the change leads to another operation. */
  isElsewhere: boolean;
}

type Mutation = (draft: Draft, random: Random) => void;

export const mutations: Readonly<Record<string, { weight: number; applies(draft: Draft): boolean; apply: Mutation }>> =
  {
    'nothing hostile': { weight: 10, applies: always, apply: () => {} },
    'a hostile value in the body': { weight: 30, applies: hasBody, apply: replaceValue },
    'a hostile literal in the body': { weight: 6, applies: hasBody, apply: replaceWithLiteral },
    'another field in the body': { weight: 10, applies: hasBody, apply: addField },
    'a field missing': { weight: 4, applies: hasBody, apply: removeField },
    'a field twice': { weight: 4, applies: hasBody, apply: duplicateField },
    'an array repeated': { weight: 3, applies: hasBody, apply: repeatArray },
    'a body that is broken': { weight: 6, applies: hasBody, apply: breakBody },
    'a body where none belongs': { weight: 1, applies: (draft) => !hasBody(draft), apply: breakBody },
    'another content type': { weight: 5, applies: hasBody, apply: changeContentType },
    'a hostile parameter': { weight: 18, applies: (draft) => !hasBody(draft), apply: changeParameter },
    'a parameter that is unknown': { weight: 8, applies: always, apply: addParameter },
    'a hostile path': { weight: 8, applies: always, apply: changePath },
    'a hostile header': { weight: 8, applies: always, apply: changeHeader },
    'a header that is unknown': { weight: 8, applies: always, apply: addHeader },
    'another authorization': { weight: 3, applies: always, apply: changeAuthorization },
    'another method': { weight: 4, applies: always, apply: changeMethod },
    'a body of megabytes': { weight: 0.15, applies: hasBody, apply: enlargeBody },
  };

/** Applies a random mutation and returns its name. */
export function mutate(draft: Draft, random: Random): string {
  const fitting = Object.entries(mutations).filter(([, { applies }]) => applies(draft));
  let left = random.next() * fitting.reduce((sum, [, { weight }]) => sum + weight, 0);
  const [name, { apply }] = fitting.find(([, { weight }]) => {
    left -= weight;
    return left <= 0;
  })!;
  apply(draft, random);
  return name;
}

function always(): boolean {
  return true;
}

function hasBody({ operation }: Draft): boolean {
  return operation.body !== undefined;
}

interface Place {
  parent: Record<string, unknown>;
  key: string;
}

/** Every member and element of the body, at any depth; the body itself is in `root`. */
function listPlaces(root: object): Place[] {
  return Object.entries(root).flatMap(([key, value]) => [
    { parent: root as Record<string, unknown>, key },
    ...(typeof value === 'object' && value !== null ? listPlaces(value) : []),
  ]);
}

function pickPlace(draft: Draft, random: Random): Place {
  const root = { json: draft.json };
  const place = random.pick(listPlaces(root));
  // The whole body is one candidate among its members.
  return place.parent === root ? { parent: draft as unknown as Record<string, unknown>, key: 'json' } : place;
}

function replaceValue(draft: Draft, random: Random): void {
  const { parent, key } = pickPlace(draft, random);
  parent[key] = random.pick(hostileValues);
}

const mark = '@@hostile@@';

function replaceWithLiteral(draft: Draft, random: Random): void {
  const { parent, key } = pickPlace(draft, random);
  parent[key] = mark;
  draft.body = JSON.stringify(draft.json).replace(`"${mark}"`, () => random.pick(hostileLiterals));
}

function addField(draft: Draft, random: Random): void {
  const objects = [draft.json, ...listPlaces({ json: draft.json }).map(({ parent, key }) => parent[key])].filter(
    (each): each is Record<string, unknown> => typeof each === 'object' && each !== null && !Array.isArray(each),
  );
  if (objects.length === 0) {
    replaceValue(draft, random);
    return;
  }
  const name = random.next() < 0.5 ? random.pick(inheritedNames) : random.pick(hostileTexts);
  // Defined as a property, because assigning __proto__ would change the prototype.
  Object.defineProperty(random.pick(objects), name, {
    value: random.pick(hostileValues),
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function removeField(draft: Draft, random: Random): void {
  const { parent, key } = pickPlace(draft, random);
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
}

function duplicateField(draft: Draft, random: Random): void {
  if (typeof draft.json !== 'object' || draft.json === null || Array.isArray(draft.json)) return;
  const [name] = random.pick(Object.entries(draft.json)) ?? ['a'];
  const again = `${JSON.stringify(name)}:${JSON.stringify(random.pick(hostileValues))}`;
  draft.body = JSON.stringify(draft.json).replace(/\}$/, () => `,${again}}`);
}

function repeatArray(draft: Draft, random: Random): void {
  const arrays = listPlaces({ json: draft.json }).filter(({ parent, key }) => Array.isArray(parent[key]));
  if (arrays.length === 0) {
    replaceValue(draft, random);
    return;
  }
  const { parent, key } = random.pick(arrays);
  const [first = 'x'] = parent[key] as unknown[];
  parent[key] = Array.from({ length: random.pick([0, 2, 21, 101, 2_000]) }, () => first);
}

function breakBody(draft: Draft, random: Random): void {
  draft.body = random.pick(brokenBodies);
}

function enlargeBody(draft: Draft, random: Random): void {
  const { parent, key } = pickPlace(draft, random);
  parent[key] = 'x'.repeat(random.pick([1_100_000, 7_000_000]));
}

function changeContentType(draft: Draft, random: Random): void {
  draft.headers = draft.headers.filter(([name]) => name !== 'Content-Type');
  const times = random.pick([0, 1, 1, 1, 2]);
  for (let time = 0; time < times; time++) draft.headers.push(['Content-Type', random.pick(contentTypes)]);
}

function changeParameter(draft: Draft, random: Random): void {
  const names = Object.keys(draft.operation.query?.shape ?? {});
  if (names.length === 0) {
    addParameter(draft, random);
    return;
  }
  const name = random.pick(names);
  draft.query = draft.query.filter((pair) => !pair.startsWith(`${name}=`));
  const times = random.pick([1, 1, 1, 2]);
  for (let time = 0; time < times; time++) draft.query.push(`${name}=${hostileQueryText(random)}`);
}

function addParameter(draft: Draft, random: Random): void {
  const name = random.next() < 0.4 ? random.pick(inheritedNames) : hostileQueryText(random);
  draft.query.push(random.pick([name, `${name}=`, `${name}=1`, `${name}=1&${name}=2`, `${name}[]=1`, `${name}.a=1`]));
}

function hostileQueryText(random: Random): string {
  if (random.next() < 0.2)
    return random.pick(['%', '%zz', '%ff', '%ED%A0%80', '%00', '+', ';', '%26', '%3D', '\u00e9']);
  return encodeURIComponent(
    random
      .pick(hostileTexts)
      .slice(0, 2_000)
      .replace(/\p{Surrogate}/gu, ''),
  );
}

function changePath(draft: Draft, random: Random): void {
  const segments = draft.path.split('/').slice(1);
  const place = random.below(segments.length);
  const change = random.pick(['replace', 'replace', 'replace', 'insert', 'append']);
  if (change === 'replace') segments[place] = random.pick(pathSegments);
  else segments.splice(change === 'insert' ? place : segments.length, 0, random.pick(['', ...pathSegments]));
  draft.path = `/${segments.join('/')}`;
  draft.isElsewhere = true;
}

function changeHeader(draft: Draft, random: Random): void {
  const known = [...Object.keys(draft.operation.headers?.shape ?? {}), 'Idempotency-Key', 'If-Match', 'If-None-Match'];
  const name = random.pick(known);
  const times = random.pick([1, 1, 1, 2]);
  for (let time = 0; time < times; time++) draft.headers.push([name, random.pick(headerValues)]);
}

function addHeader(draft: Draft, random: Random): void {
  const [name, value] = random.pick(extraHeaders);
  draft.headers.push([name, value]);
  if (random.next() < 0.2) draft.headers.push([name, value]);
}

function changeAuthorization(draft: Draft, random: Random): void {
  if (random.next() < 0.8) draft.headers = draft.headers.filter(([name]) => name !== 'Authorization');
  draft.headers.push(['Authorization', random.pick(authorizations)]);
}

function changeMethod(draft: Draft, random: Random): void {
  draft.method = random.pick(otherMethods);
  draft.isElsewhere = draft.method !== 'HEAD' || draft.operation.method !== 'GET';
}
