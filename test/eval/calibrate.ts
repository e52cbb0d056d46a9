// npm run calibrate: fits lambdas/ai/knowledge/calibration.ts to the labelled sets, and prints its accuracy on domains
// that it was not fitted on. Run it after every change of the embedding model, of the ranking or of the sets.
import { readFileSync, writeFileSync } from 'node:fs';
import type { Embed } from '../../lambdas/ai/embedding/embedder.ts';
import { cosine } from '../../lambdas/ai/embedding/vector.ts';
import type { Calibration } from '../../lambdas/ai/knowledge/calibration.ts';
import { fitCalibration, fitTiers, predict, quantile, round, toCases } from './fit.ts';
import { evaluationEncoder, incidentIndex, indexSets, loadReadingSets } from './ground.ts';

const encoder = await evaluationEncoder();
const { embed } = encoder;
const sets = loadReadingSets();
const cases = await toCases(sets, await indexSets(sets, embed), encoder);
const heldOut = sets.flatMap(({ name }) => {
  const calibration = fitCalibration(cases.filter(({ set }) => set !== name));
  return cases.filter(({ set }) => set === name).map((each) => predict(each, calibration));
});
const similarity = await similarityThresholds(embed);
const calibration: Calibration = { ...fitCalibration(cases), tiers: fitTiers(heldOut), similarity };
const file = new URL('../../lambdas/ai/knowledge/calibration.ts', import.meta.url);
writeFileSync(file, source(calibration));
console.log(JSON.stringify(calibration, null, 2));
for (let from = 0; from < 10; from++) {
  const said = heldOut.filter(
    ({ kind, confidence }) => kind !== 'off topic' && Math.min(9, Math.floor(confidence * 10)) === from,
  );
  if (said.length === 0) continue;
  const mean = said.reduce((sum, { confidence }) => sum + confidence, 0) / said.length;
  const right = said.filter(({ isRight }) => isRight).length / said.length;
  console.log(`said ${mean.toFixed(2)}, right ${right.toFixed(2)} (${said.length} questions, held out by domain)`);
}

/** From the similarity of incidents with different and with the same resolution. */
async function similarityThresholds(embed: Embed): Promise<Calibration['similarity']> {
  const { incidents } = await incidentIndex(embed);
  const distinct = [...new Map(incidents.map((incident) => [incident.text, incident])).values()];
  const cosines: Record<'same' | 'different', number[]> = { same: [], different: [] };
  for (const [place, one] of distinct.entries()) {
    for (const other of distinct.slice(place + 1)) {
      const isSame = one.resolution === other.resolution;
      if (!isSame && one.category === other.category) continue;
      cosines[isSame ? 'same' : 'different'].push(cosine(await embed(one.text), await embed(other.text)));
    }
  }
  const different = (share: number) => round(quantile(cosines.different, share));
  const same = (share: number) => round(quantile(cosines.same, share));
  const resolution = round((different(0.999) + same(0.01)) / 2);
  return { far: different(0.9), vote: different(0.97), evidence: different(0.999), resolution, near: same(0.05) };
}

/** Keeps the comment at the start and the type at the end of the file. */
function source(given: Calibration): string {
  const [head, , tail] = readFileSync(file, 'utf8').split(/^(export const calibration = [\s\S]*?^};)$/m);
  return `${head}export const calibration = ${JSON.stringify(given, null, 2)};${tail}`;
}
