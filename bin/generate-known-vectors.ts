// Writes bin/demo-data/known-vectors.bin: the vectors of the demo's texts, made by the model that functions carry. Only new
// texts are read. A unit test fails when it is stale.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { embedderName, loadEmbedder } from '../lambdas/ai/embedding/embedder.ts';
import { encodeKnown, readKnownVectors } from '../lambdas/ai/embedding/known-vectors.ts';
import { packed } from '../lambdas/ai/embedding/vector.ts';
import { demoTexts } from './demo-data/demo-texts.ts';
import { ensureLocalBuild, root } from './local-build.ts';

await ensureLocalBuild();
const file = join(root, 'bin/demo-data/known-vectors.bin');
const known = process.argv.includes('--anew') ? () => undefined : readKnownVectors(file, embedderName);
const embed = await loadEmbedder(join(root, 'dist/functions-with-model/model'));
const vectors = new Map<string, Uint8Array>();
for (const text of demoTexts()) vectors.set(text, packed(known(text) ?? (await embed(text))));
writeFileSync(file, encodeKnown(vectors, embedderName));
