// Policy documents, compiled once. A malformed or unsupported element stops the start, because ignoring it could grant
// too much.
import { type Condition, compileCondition } from './condition.ts';
import { compileArn, compileText, findResourceProblem, type Matcher } from './pattern.ts';

export interface Statement {
  effect: 'Allow' | 'Deny';
  /** Whether the decision depends on more than action and resource. */
  isConditional: boolean;
  matchesAction: Matcher;
  matchesResource: Matcher;
  matchesCondition: Condition;
}

export interface TrustStatement {
  effect: 'Allow' | 'Deny';
  servicePrincipals: ReadonlySet<string>;
  matchesCondition: Condition;
}

type Report = (problem: string) => void;
type Entry = Record<string, unknown>;

const versions = ['2012-10-17', '2008-10-17'];

export function compilePolicy(document: unknown, report: Report): Statement[] {
  return readStatements(document, report).map(({ entry, report }) => {
    checkElements(entry, ['Sid', 'Effect', 'Action', 'Resource', 'Condition'], report);
    const resources = readTexts(entry.Resource, 'Resource', report);
    for (const problem of resources.map(findResourceProblem)) if (problem) report(problem);
    const actions = readTexts(entry.Action, 'Action', report);
    for (const action of actions) {
      if (action !== '*' && !/^[\w-]+:[\w*?:-]+$/.test(action)) {
        report(`action ${action} is not of the form service:Action`);
      }
    }
    return {
      effect: readEffect(entry, report),
      isConditional: entry.Condition !== undefined,
      matchesAction: matchAny(actions.map((action) => compileText(action, { ignoreCase: true }))),
      matchesResource: matchAny(resources.map(compileArn)),
      matchesCondition: readCondition(entry, report),
    };
  });
}

/** Compiles an AssumeRolePolicyDocument. On one machine only services assume roles; other principals are ignored. */
export function compileTrust(document: unknown, report: Report): TrustStatement[] {
  return readStatements(document, report).map(({ entry, report }) => {
    checkElements(entry, ['Sid', 'Effect', 'Action', 'Principal', 'Condition'], report);
    if (entry.Action !== 'sts:AssumeRole') report(`action ${String(entry.Action)} is not supported in a trust policy`);
    const { Principal: principal } = entry;
    if (!isEntry(principal)) report('Principal must be an object');
    else checkElements(principal, ['Service', 'AWS', 'Federated'], report);
    const services = isEntry(principal) ? (principal.Service ?? []) : [];
    return {
      effect: readEffect(entry, report),
      servicePrincipals: new Set([services].flat().map(String)),
      matchesCondition: readCondition(entry, report),
    };
  });
}

function readStatements(document: unknown, report: Report): { entry: Entry; report: Report }[] {
  if (!isEntry(document)) {
    report('the policy document is not an object');
    return [];
  }
  checkElements(document, ['Version', 'Id', 'Statement'], report);
  const { Version: version = '2008-10-17', Statement: statements } = document;
  if (!versions.includes(String(version))) report(`unknown policy version ${String(version)}`);
  return [statements].flat().flatMap((entry: unknown, index) => {
    const name = isEntry(entry) && entry.Sid ? String(entry.Sid) : `statement ${index}`;
    const reportStatement = (problem: string) => report(`${name}: ${problem}`);
    if (isEntry(entry)) return [{ entry, report: reportStatement }];
    reportStatement('is not an object');
    return [];
  });
}

function readEffect({ Effect: effect }: Entry, report: Report): 'Allow' | 'Deny' {
  if (effect !== 'Allow' && effect !== 'Deny') report('Effect must be Allow or Deny');
  return effect === 'Allow' ? 'Allow' : 'Deny';
}

function readCondition({ Condition: block }: Entry, report: Report): Condition {
  return block === undefined ? () => true : compileCondition(block, report);
}

function readTexts(value: unknown, element: string, report: Report): string[] {
  const texts = value === undefined ? [] : [value].flat();
  if (texts.length === 0 || texts.some((text) => typeof text !== 'string')) report(`${element} must contain text`);
  return texts.filter((text) => typeof text === 'string');
}

function matchAny(matchers: readonly Matcher[]): Matcher {
  return (text) => matchers.some((matches) => matches(text));
}

function checkElements(entry: Entry, supported: readonly string[], report: Report): void {
  for (const element of Object.keys(entry)) {
    if (!supported.includes(element)) report(`element ${element} is not supported`);
  }
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
