// Writes demo/known-vectors.bin: the embedding vectors of the demo's texts. Embeds only new texts, or all of them with
// --all. A unit test fails when the file is stale.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listDemoTexts } from '../../demo/articles.ts';
import { loadEncoder } from '../../lambdas/ai/embedding/embedder.ts';
import { encodeKnown, readKnownVectors } from '../../lambdas/ai/embedding/known-vectors.ts';
import { embedderName } from '../../lambdas/ai/embedding/model-files.ts';
import { packVector } from '../../lambdas/ai/embedding/vector.ts';
import { ensureLocalBuild, root } from '../build/local-build.ts';

const file = join(root, 'demo/known-vectors.bin');
const known = process.argv.includes('--all') ? () => undefined : readKnownVectors(file, embedderName);
let model: ReturnType<typeof prepareModel> | undefined;
const vectors = new Map<string, Uint8Array>();
for (const text of listDemoTexts()) {
  const embed = async () => {
    model ??= prepareModel();
    return (await model)(text);
  };
  vectors.set(text, packVector(known(text) ?? (await embed())));
}
writeFileSync(file, encodeKnown(vectors, embedderName));

async function prepareModel() {
  await ensureLocalBuild();
  return (await loadEncoder(join(root, 'dist/functions-with-model/model'))).embed;
}
