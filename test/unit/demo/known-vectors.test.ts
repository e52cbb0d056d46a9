import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../bin/local-build.ts';
import { listDemoTexts } from '../../../demo/articles.ts';
import { buildIncidentSteps } from '../../../demo/incidents.ts';
import { encodeKnown, preferKnownVectors, readKnownVectors } from '../../../lambdas/ai/embedding/known-vectors.ts';
import { embedderName } from '../../../lambdas/ai/embedding/model-files.ts';
import { cosine, packVector } from '../../../lambdas/ai/embedding/vector.ts';
import { toIncidentText } from '../../../lambdas/ai/learning/subject.ts';
import { embedTexts } from '../../support/embedded.ts';

const file = join(root, 'demo/known-vectors.bin');
const known = readKnownVectors(file, embedderName);

describe('precomputed vectors', () => {
  it('cover exactly the texts of the demo; npm run generate updates them', () => {
    const vectors = new Map(listDemoTexts().map((text) => [text, packVector(known(text)!)]));
    expect(encodeKnown(vectors, embedderName).equals(readFileSync(file))).toBe(true);
    expect(known('How do I get a parking space?')).toBeUndefined();
  });

  it('cover the demo data of every start time', () => {
    for (const now of ['2026-02-28T03:00:00Z', '2027-06-15T14:00:00Z']) {
      const reports = buildIncidentSteps(Date.parse(now)).filter(({ action }) => action === 'create');
      for (const { body } of reports) {
        expect(known(toIncidentText(body as unknown as Parameters<typeof toIncidentText>[0]))).toBeDefined();
      }
    }
  });

  it('equal the output of the model', () => {
    const texts = listDemoTexts().filter((_, place) => place % 200 === 0);
    for (const [place, vector] of embedTexts(texts).entries()) {
      expect(cosine(known(texts[place]!)!, vector)).toBeGreaterThan(0.99);
    }
  });

  it('load the model only for the first unknown text', async () => {
    const made: string[] = [];
    const embed = preferKnownVectors(known, () => {
      made.push('a model');
      return async (text: string) => {
        made.push(text);
        return known(listDemoTexts()[0]!)!;
      };
    });
    await embed(listDemoTexts()[1]!);
    expect(made).toEqual([]);
    await embed('one');
    await embed('two');
    expect(made).toEqual(['a model', 'one', 'two']);
  });

  it('are rejected for another model, and empty without a file', () => {
    expect(() => readKnownVectors(file, 'another-model.1')).toThrow('not those of another-model.1');
    expect(readKnownVectors('/there/is/none', embedderName)(listDemoTexts()[0]!)).toBeUndefined();
  });
});
