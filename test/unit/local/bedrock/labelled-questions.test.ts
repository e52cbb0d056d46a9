// The data of the planner: a label that does not exist would be learned as no label at all.
import { readFileSync } from 'node:fs';
import { listQuestions, parseLabelled } from '../../../eval/copilot.ts';

const { kinds, labels } = JSON.parse(readFileSync('model/planner.json', 'utf8')) as Record<string, string[]>;
const trained = listQuestions(new URL('../../../../model/questions/', import.meta.url));
const heldOut = listQuestions(new URL('../../../eval/copilot/', import.meta.url));

describe('labelled questions', () => {
  it('use only the kinds and labels of the planner', () => {
    const unknown = [...trained, ...heldOut].filter((line) => {
      const { question, tagged } = parseLabelled(line);
      const isKnown = kinds?.includes(tagged.kind) && tagged.spans.every(({ label }) => labels?.includes(label));
      return !isKnown || /[[\]]/.test(question) || tagged.spans.some(({ text }) => text.trim() === '');
    });
    expect(unknown).toEqual([]);
  });

  it('that are held out were not used for training', () => {
    const plain = (line: string) =>
      parseLabelled(line)
        .question.toLowerCase()
        .replace(/[?.! ]+/g, ' ')
        .trim();
    const known = new Set(trained.map(plain));
    expect(heldOut.filter((line) => known.has(plain(line)))).toEqual([]);
  });
});
