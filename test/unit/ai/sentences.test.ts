import { sentencesIn } from '../../../lambdas/ai/knowledge/sentences.ts';

describe('sentencesIn', () => {
  it('cuts prose at the ends of sentences and joins lines that were only wrapped', () => {
    expect(sentencesIn('The **rollers** are worn out\nafter 60,000 pages. Order kit `RK-60`.')).toEqual([
      'The rollers are worn out after 60,000 pages.',
      'Order kit RK-60.',
    ]);
  });

  it('takes each item, row and line of code alone', () => {
    const text =
      '1. Open the door.\n2. Pull the sheet\n   with both hands.\n\n| Code | Place |\n|---|---|\n\n```\nreset queue\n```';
    expect(sentencesIn(text)).toEqual([
      'Open the door.',
      'Pull the sheet with both hands.',
      '| Code | Place |',
      'reset queue',
    ]);
  });

  it('reads no more of a passage than takes a moment', () => {
    expect(sentencesIn('One thing. '.repeat(1_000))).toHaveLength(15);
    expect(Math.max(...sentencesIn('word '.repeat(1_000)).map(({ length }) => length))).toBeLessThanOrEqual(300);
    expect(sentencesIn('\n\n| 1 | 2 |\n')).toEqual([]);
  });
});
