import fc from 'fast-check';
import { email, ifMatchHeaders, line, text, timeBound } from '../../../contract/records.ts';
import { parseTemplate } from '../../../contract/webhook-templates.ts';
import { splitPassages, splitSentences } from '../../../lambdas/ai/knowledge/passages.ts';
import { findIdentifiers, splitWords } from '../../../lambdas/lists/words.ts';
import { isJson } from '../../../lambdas/platform/http/request-input.ts';
import { createHmacCursorSeal } from '../../../lambdas/records/page.ts';

// What callers write reaches these readers before or without a limit of its length. Their time must grow with the length and
// not with its square: a text of 60,000 characters takes them milliseconds, where a square takes seconds.

const length = 60_000;
const maxMs = 2_000;

const seal = createHmacCursorSeal('key');

const readers: Record<string, (given: string) => unknown> = {
  findIdentifiers,
  wordsOf: (given) => splitWords([given]),
  parseTemplate,
  splitPassages: (given) => splitSentences(splitPassages({ body: given })),
  isJson,
  'an e-mail address': (given) => email('').safeParse(given),
  'a time bound': (given) => timeBound('').safeParse(given),
  'a line': (given) => line(255, '').safeParse(given),
  'a text': (given) => text(32_000, '').safeParse(given),
  'an ETag': (given) => ifMatchHeaders.safeParse({ 'If-Match': given }),
  'a cursor': (given) => {
    try {
      return seal.open('list', given);
    } catch {
      return undefined;
    }
  },
};

const pieces = [
  'a',
  'A1',
  ' ',
  '\n',
  '\t',
  '.',
  '-',
  '@',
  'a@a.',
  '{{',
  '{{a}}',
  '{{a|',
  '"',
  '"a",',
  '# ',
  '#',
  '0',
  '2026-',
  '/',
  '_',
];

describe.each(Object.keys(readers))('%s', (name) => {
  it('takes linear time for any repeated text', () => {
    const repeated = fc.tuple(
      fc.constantFrom('', ...pieces),
      fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 2 }).map((parts) => parts.join('')),
      fc.constantFrom('', ...pieces),
    );
    fc.assert(
      fc.property(repeated, ([start, piece, end]) => {
        const given = `${start}${piece.repeat(Math.floor(length / piece.length))}${end}`;
        const startedAt = performance.now();
        readers[name]!(given);
        expect(performance.now() - startedAt).toBeLessThan(maxMs);
      }),
      {
        numRuns: 30,
        examples: [
          ['', 'a', ''],
          ['# a', ' ', 'b'],
          ['', 'a@a.', '@'],
        ].map((example) => [example]) as [[string, string, string]][],
      },
    );
  });
});
