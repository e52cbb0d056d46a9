// A policy document, parsed once. What AWS would call malformed and what this evaluator does not know are both problems
// that stop the start: a statement that is read wrongly is worse than none.
import { type Condition, compileCondition } from './condition.ts';
import { arnPattern, type Lookup, type Pattern, resourceProblem, textPattern } from './pattern.ts';

export interface Statement {
  effect: 'Allow' | 'Deny';
  /** Whether the answer can depend on more than action and resource. */
  conditional: boolean;
  coversAction(action: string): boolean;
  coversResource(resource: string, lookup: Lookup): boolean;
  holds: Condition;
}

export interface TrustStatement {
  effect: 'Allow' | 'Deny';
  /** Service principals; * is anyone. */
  services: ReadonlySet<string>;
  coversAction(action: string): boolean;
  holds: Condition;
}

type Problems = (problem: string) => void;
type Entry = Record<string, unknown>;

const versions = new Set(['2012-10-17', '2008-10-17']);
const identityElements = new Set(['Sid', 'Effect', 'Action', 'NotAction', 'Resource', 'NotResource', 'Condition']);
const trustElements = new Set(['Sid', 'Effect', 'Action', 'NotAction', 'Principal', 'Condition']);
const principalKinds = new Set(['Service', 'AWS', 'Federated']);

export function compilePolicy(document: unknown, problems: Problems): Statement[] {
  return entries(document, problems).map(({ entry, options, report }) => {
    unknownElements(entry, identityElements, report);
    exactlyOne(entry, 'Action', 'NotAction', report);
    exactlyOne(entry, 'Resource', 'NotResource', report);
    const resources = texts(entry.Resource ?? entry.NotResource, 'Resource', report);
    for (const text of resources) {
      const problem = resourceProblem(text);
      if (problem) report(problem);
    }
    const patterns = resources.map((text) => arnPattern(text, options));
    const covered = (resource: string, lookup: Lookup) => patterns.some((pattern) => pattern.matches(resource, lookup));
    return {
      effect: effect(entry, report),
      conditional: entry.Condition !== undefined || patterns.some((pattern) => pattern.dynamic),
      coversAction: actionMatcher(entry, report),
      coversResource: entry.NotResource ? (resource, lookup) => !covered(resource, lookup) : covered,
      holds: entry.Condition === undefined ? () => true : compileCondition(entry.Condition, options, report),
    };
  });
}

/** AssumeRolePolicyDocument. Only services assume roles on one machine; other principals are kept out, not refused. */
export function compileTrust(document: unknown, problems: Problems): TrustStatement[] {
  return entries(document, problems).map(({ entry, options, report }) => {
    unknownElements(entry, trustElements, report);
    exactlyOne(entry, 'Action', 'NotAction', report);
    return {
      effect: effect(entry, report),
      services: trustedServices(entry.Principal, report),
      coversAction: actionMatcher(entry, report),
      holds: entry.Condition === undefined ? () => true : compileCondition(entry.Condition, options, report),
    };
  });
}

function entries(
  document: unknown,
  problems: Problems,
): { entry: Entry; options: { variables?: false }; report: Problems }[] {
  if (!isEntry(document)) {
    problems('the policy document is not an object');
    return [];
  }
  unknownElements(document, new Set(['Version', 'Id', 'Statement']), problems);
  const version = document.Version ?? '2008-10-17';
  if (!versions.has(String(version))) problems(`unknown policy version ${String(version)}`);
  const statements = Array.isArray(document.Statement) ? document.Statement : [document.Statement];
  return statements.flatMap((entry: unknown, index) => {
    const name = isEntry(entry) && typeof entry.Sid === 'string' && entry.Sid !== '' ? entry.Sid : `statement ${index}`;
    const report = (problem: string) => problems(`${name}: ${problem}`);
    if (!isEntry(entry)) {
      report('is not an object');
      return [];
    }
    // Policy variables exist only since the 2012 version of the language; before it, ${ is plain text.
    return [{ entry, options: version === '2012-10-17' ? {} : { variables: false as const }, report }];
  });
}

function effect(entry: Entry, report: Problems): 'Allow' | 'Deny' {
  if (entry.Effect !== 'Allow' && entry.Effect !== 'Deny') report(`Effect must be Allow or Deny`);
  return entry.Effect === 'Allow' ? 'Allow' : 'Deny';
}

function actionMatcher(entry: Entry, report: Problems): (action: string) => boolean {
  const actions = texts(entry.Action ?? entry.NotAction, 'Action', report);
  for (const action of actions) {
    if (action !== '*' && !/^[\w-]+:[\w*?:-]+$/.test(action))
      report(`action ${action} is not of the form service:Action`);
  }
  const patterns: Pattern[] = actions.map((action) => textPattern(action, { ignoreCase: true, variables: false }));
  const covered = (action: string) => patterns.some((pattern) => pattern.matches(action, () => undefined));
  return entry.NotAction ? (action) => !covered(action) : covered;
}

function trustedServices(principal: unknown, report: Problems): Set<string> {
  if (principal === '*') return new Set(['*']);
  if (!isEntry(principal)) {
    report('Principal must be "*" or an object');
    return new Set();
  }
  unknownElements(principal, principalKinds, report);
  return new Set(principal.Service === undefined ? [] : texts(principal.Service, 'Principal', report));
}

function texts(value: unknown, element: string, report: Problems): string[] {
  const list: unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
  if (list.length === 0 || list.some((text) => typeof text !== 'string')) report(`${element} must hold text`);
  return list.filter((text) => typeof text === 'string');
}

function exactlyOne(entry: Entry, one: string, other: string, report: Problems): void {
  if ((entry[one] === undefined) === (entry[other] === undefined)) report(`needs either ${one} or ${other}`);
}

function unknownElements(entry: Entry, known: ReadonlySet<string>, report: Problems): void {
  for (const element of Object.keys(entry)) if (!known.has(element)) report(`unknown element ${element}`);
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
