// Which tools a question is about: those whose name it says, otherwise those whose description or values share words with
// it. It knows no tool by name; all it reads is their descriptions and schemas.
import type { ToolSpec } from '../converse.ts';
import { parametersOf } from './parameters.ts';
import { stemsOf, Wording } from './wording.ts';
import { wordsOf } from './words.ts';

/** What a tool is about: its name without the verb. */
export function nounOf(name: string): string {
  return name.replace(/^(search|list|find|get|read|show|count|fetch|look_up|lookup|query)_/, '').replaceAll('_', ' ');
}

/** The words by which people speak of what a tool is about: its noun, the initials of it, and what it is said to find. */
export function namesOf({ name, description }: ToolSpec): string[] {
  const noun = nounOf(name);
  const initials = initialsOf(noun);
  return [noun, ...initials, ...noun.split(' '), ...wordsOf(/^[^.;]*/.exec(description)![0])];
}

export function toolsAbout(question: string, tools: readonly ToolSpec[]): ToolSpec[] {
  const open = tools.filter(({ schema }) => (schema.required ?? []).every((name) => !/(^|_)id$/.test(name)));
  const counters = open.filter(({ name }) => /count|total|statistic/.test(name));
  const counting =
    /\bhow many\b|\bnumber of\b|\bcount\b/i.test(question) || counters.some((tool) => groups(question, tool));
  const candidates = counting && counters.length > 0 ? counters : open.filter((tool) => !counters.includes(tool));
  const about = namedIn(question, candidates);
  if (about.length > 0) return / and |, /.test(question) ? about.slice(0, 2) : about.slice(0, 1);
  const wording = new Wording(question);
  const scored = candidates
    .map((tool) => ({ tool, score: likeness(tool, wording, candidates) }))
    .sort((one, other) => other.score - one.score);
  if (asksHow.test(question) && (scored[0]?.score ?? 0) < 2) {
    const reading = candidates.find(({ name, description }) =>
      /article|knowledge|document|guide/i.test(`${name} ${description}`),
    );
    if (reading) return [reading];
  }
  return scored.slice(0, 1).map(({ tool }) => tool);
}

/** Tools whose own names a question says, the most of their words first. */
export function namedIn(question: string, tools: readonly ToolSpec[]): ToolSpec[] {
  const words = new Set(new Wording(question).words.flatMap(({ plain, stem: own }) => [plain, own]));
  const said = ({ name }: ToolSpec) => {
    const noun = nounOf(name);
    return (
      wordsOf(noun).filter((word) => words.has(word)).length + initialsOf(noun).filter((each) => words.has(each)).length
    );
  };
  return tools
    .map((tool) => ({ tool, score: said(tool) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ tool }) => tool);
}

const asksHow =
  /^\s*(how\b(?! many)|why\b|can i\b|where\b|who\b|what('s|s)? (does|do|is|are the|should|can|to|means?|happens)\b)/i;

/** Configuration items are CIs. */
function initialsOf(noun: string): string[] {
  const words = noun.split(' ');
  if (words.length < 2) return [];
  const initials = words.map((word) => word[0]).join('');
  return [initials, `${initials}s`];
}

/** Words that only this tool's description has say most, then values that it takes; names of machines are sure. */
function likeness(tool: ToolSpec, wording: Wording, all: readonly ToolSpec[]): number {
  const stems = new Set(wording.words.map((word) => word.stem));
  const described = (each: ToolSpec) => new Set(wordsOf(each.description));
  const own = [...described(tool)].filter((word) => stems.has(word));
  const elsewhere = all.filter((each) => each !== tool).map(described);
  const words = own.map((word) => (elsewhere.some((others) => others.has(word)) ? 0.3 : 1.5));
  const values = parametersOf(tool.schema)
    .filter(({ kind }) => kind === 'name')
    .flatMap(({ values: known = [] }) => known.filter((value) => wording.runsOf(stemsOf(value)).length > 0));
  return sum(words) + sum([...new Set(values)].map((value) => (/[\d_-]/.test(value) ? 2 : 1)));
}

function groups(question: string, { schema }: ToolSpec): boolean {
  const parameters = parametersOf(schema);
  const by = parameters.find(({ kind }) => kind === 'grouping')?.values ?? [];
  const { words } = new Wording(question);
  return parameters
    .filter(({ name }) => by.includes(name))
    .flatMap(({ handles }) => handles)
    .some((handle) =>
      words.some(({ plain }, place) => {
        return /^(by|per|each)$/.test(plain) && handle.every((each, index) => words[place + 1 + index]?.stem === each);
      }),
    );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Where one question asks for two things, each tool gets its own part. */
export function clauseOf(question: string, { name }: ToolSpec): string {
  const own = new Set(wordsOf(nounOf(name)));
  const part = question.split(/\band\b|,/i).find((each) => wordsOf(each).some((word) => own.has(word)));
  return part ?? question;
}
