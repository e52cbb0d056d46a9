// npm run calibrate: fits lambdas/ai/knowledge/calibration.ts to the labelled sets, and prints its accuracy on domains
// that it was not fitted on. Run it after every change of the embedding model, of the ranking or of the sets. With
// `--texts <file>` it writes the texts that `model/train.py --folds` needs, and nothing else.
import { readFileSync, writeFileSync } from 'node:fs';
import type { Embed } from '../../lambdas/ai/embedding/embedder.ts';
import { cosine, type Vector } from '../../lambdas/ai/embedding/vector.ts';
import type { Calibration } from '../../lambdas/ai/knowledge/calibration.ts';
import { fitCalibration, fitTiers, predict, quantile, round, toCases } from './fit.ts';
import { evaluationEmbedder, heldOutTexts, incidentIndex, indexSets, loadReadingSets } from './ground.ts';

const embed = await evaluationEmbedder();
const textsAt = process.argv.indexOf('--texts');
if (textsAt > 0) {
  writeFileSync(process.argv[textsAt + 1] ?? 'texts.json', JSON.stringify(heldOutTexts(embed)));
  process.exit();
}
const sets = loadReadingSets(embed);
const cases = await toCases(sets, await indexSets(sets));
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

/** Shares of random pairs of incidents that are less similar: a threshold keeps its meaning when the model changes. */
async function similarityThresholds(embed: Embed): Promise<Calibration['similarity']> {
  const { incidents } = await incidentIndex(embed);
  const texts = [...new Set(incidents.map(({ text }) => text))];
  const vectors: Vector[] = [];
  for (const text of texts) vectors.push(await embed(text));
  const pairs = vectors.flatMap((one, place) => vectors.slice(place + 1).map((other) => cosine(one, other)));
  const at = (share: number) => round(quantile(pairs, share));
  return { far: at(0.746), vote: at(0.879), evidence: at(0.928), resolution: at(0.942), near: at(0.946) };
}

/** Keeps the comment at the start and the type at the end of the file. */
function source(given: Calibration): string {
  const [head, , tail] = readFileSync(file, 'utf8').split(/^(export const calibration = [\s\S]*?^};)$/m);
  return `${head}export const calibration = ${JSON.stringify(given, null, 2)};${tail}`;
}
