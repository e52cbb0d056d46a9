import { readdirSync, readFileSync } from 'node:fs';

// Words that CONTRIBUTING.md replaces, with the number of remaining uses. Lower a number after a rename; never raise it.

const patterns: Readonly<Record<string, { pattern: RegExp; max: number }>> = {
  'functions named …Of': {
    pattern: /\b(?:function|const) (?!listOf\b|oneOf\b|arrayOf\b)[a-z]\w*[a-z0-9]Of\b/g,
    max: 0,
  },
  'limits named most…': { pattern: /\bmost[A-Z]\w*/g, max: 0 },
  'limits named longest…': { pattern: /\blongest[A-Z]\w*/g, max: 0 },
  'limits named largest…': { pattern: /\blargest[A-Z]\w*/g, max: 0 },
  'limits named maximum…': { pattern: /\bmaximum[A-Z]\w*/g, max: 9 },
  'limits named fewest…, least…, smallest…': { pattern: /\b(?:fewest|least|smallest)[A-Z]\w*/g, max: 0 },
  knock: { pattern: /knock/gi, max: 0 },
  speaker: { pattern: /speaker/gi, max: 0 },
  parcel: { pattern: /(?<!@)parcel(?!-)/gi, max: 0 },
  'put aside': { pattern: /put[- ]?aside/gi, max: 3 },
  told: { pattern: /\btold(?:[A-Z]\w*)?\b/g, max: 2 },
  arena: { pattern: /(?<!MALLOC_)arena/gi, max: 7 },
  'at once (in names)': { pattern: /at-once|atOnce/gi, max: 0 },
  alongside: { pattern: /alongside/gi, max: 0 },
  'is to be': { pattern: /\b(?:is|are|was|were) to be\b/g, max: 2 },
  'who asks': { pattern: /\bwho(?:ever)? ask(?:s|ed)\b/gi, max: 2 },
  anew: { pattern: /\banew\b/gi, max: 7 },
  'once more': { pattern: /\bonce more\b/gi, max: 0 },
  trouble: { pattern: /\btrouble\b/gi, max: 1 },
  remembered: { pattern: /\bremembered\b/gi, max: 2 },
  holder: { pattern: /\bholders?\b/gi, max: 0 },
  'functions named by a participle': {
    pattern: /\bfunction\*? (?!need\b|embed\b|feed\b|seed\b|listen\b|shorten\b|flatten\b)[a-z]+(?:ed|ten|tten)[(<]/g,
    max: 3,
  },
  'durations named patience…': { pattern: /\bpatience\w*/g, max: 0 },
  'limits in a variable named most': { pattern: /\bconst most\b|\bmost: number/g, max: 1 },
  'no answer (no response)': { pattern: /\bno answer (?:within|from|in)\b/gi, max: 1 },
  'an HTTP operation that answers': { pattern: /\banswer(?:s|ed)? (?:with )?[1-5]\d\d\b/gi, max: 1 },
  refuse: { pattern: /\brefus(?:e|es|ed|al)\b/gi, max: 31 },
  'test names with words for people instead of programs': {
    pattern: /\bit\((['"`])[^'"`]*\b(?:whatever|whoever|however many|tells?|forgets|remembers|gives up|goes on)\b/g,
    max: 1,
  },
};

const root = new URL('../../', import.meta.url);
const folders = ['bin', 'cli', 'client', 'console', 'contract', 'demo', 'docs', 'lambdas', 'lib', 'local', 'test'];
/** Labelled questions, articles and the vocabulary of users for the AI, and the two files that list the words. */
const exempt =
  /^(?:demo\/articles|test\/eval)\/|^local\/bedrock\/extractive\/vocabulary\.ts$|^test\/unit\/plain-language\.test\.ts$|^docs\/decisions\/0044/;

const texts = folders
  .flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  )
  .filter((path) => /\.(?:tsx?|jsx?|md)$/.test(path) && !exempt.test(path))
  .concat('README.md', 'SECURITY.md')
  .map((path) => ({ path, text: readFileSync(new URL(path, root), 'utf8') }));

describe('plain language', () => {
  it.each(Object.entries(patterns))('uses no more "%s" than before', (_, { pattern, max }) => {
    const found = texts.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([word]) => `${path}: ${word}`));
    // The list is part of the failure message.
    expect(found.length > max ? found : []).toEqual([]);
  });
});

describe('decision pages', () => {
  const pages = texts.filter(({ path }) => /^docs\/decisions\/\d/.test(path));

  it('have a context, a decision and consequences', () => {
    const sections = ['Context', 'Decision', 'Consequences'].map((title) => `\n## ${title}\n`);
    const incomplete = pages.filter(({ text }) => sections.some((section) => !text.includes(section)));
    expect(incomplete.map(({ path }) => path)).toEqual([]);
  });
});
