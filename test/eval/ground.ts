// The base of all evaluations: the real embedding model and the real index, filled with articles and resolved incidents.
import { mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { demoArticles } from '../../demo/articles.ts';
import { buildIncidentSteps } from '../../demo/incidents.ts';
import { type Embed, loadEmbedder } from '../../lambdas/ai/embedding/embedder.ts';
import { modelFiles } from '../../lambdas/ai/embedding/model-files.ts';
import { packed, type Vector } from '../../lambdas/ai/embedding/vector.ts';
import { LearnedIndex } from '../../lambdas/ai/knowledge/learned-index.ts';
import { encodeLearned } from '../../lambdas/ai/knowledge/learned-item.ts';
import type { ArticleText } from '../../lambdas/ai/knowledge/passages.ts';
import { type Subject, toSubject } from '../../lambdas/ai/learning/subject.ts';

/** Keeps every vector, since evaluations read the same texts again and again. */
export async function evaluationEmbedder(): Promise<Embed> {
  const folder = mkdtempSync(join(tmpdir(), 'model-'));
  for (const { source, name } of Object.values(modelFiles)) symlinkSync(resolve(source), join(folder, name));
  const embed = await loadEmbedder(folder);
  const vectors = new Map<string, Promise<Vector>>();
  return (text) => {
    const vector = vectors.get(text) ?? embed(text);
    vectors.set(text, vector);
    return vector;
  };
}

export interface LabelledQuestion {
  q: string;
  answerable: boolean;
  /** A verbatim part of the body, where the question is answerable. */
  evidence?: string;
}

export interface ReadingArticle extends ArticleText {
  id: string;
  questions: readonly LabelledQuestion[];
}

/** One domain: a knowledge base of its own, with questions about it. */
export interface ReadingSet {
  name: string;
  articles: readonly ReadingArticle[];
}

const readingFolder = new URL('reading/', import.meta.url);

/** Every labelled file of articles and questions; one file is one domain. */
export function readingSets(): ReadingSet[] {
  const files = readdirSync(readingFolder).filter((name) => name.endsWith('.jsonl'));
  return files.sort().map((file) => {
    const name = basename(file, '.jsonl');
    const lines = readFileSync(new URL(file, readingFolder), 'utf8').trim().split('\n');
    const articles = lines.map((line, place) => {
      return { category: null, tags: [], ...JSON.parse(line), id: `${name}-${place}` } as ReadingArticle;
    });
    return { name, articles };
  });
}

export async function indexArticles(articles: readonly (ArticleText & { id: string })[], embed: Embed) {
  const index = new LearnedIndex();
  for (const { id, ...document } of articles) {
    const after = { document: { state: 'published', ...document }, deleted: false };
    await learn(index, id, toSubject({ type: 'article', after }, { createdAt: '' })!, embed);
  }
  return index;
}

/** The published articles of the demo; their names are their ids. */
export function publishedDemoArticles() {
  return demoArticles()
    .filter(({ state }) => state === 'published')
    .map(({ name, ...document }) => ({ ...document, id: name }));
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
  for (const { incident, action, body, atMs } of buildIncidentSteps(Date.parse('2026-11-01T00:00:00Z'))) {
    if (action === 'note') continue;
    const before = documents.get(incident) ?? { parent_problem_id: null, resolved_at: null, created_ms: atMs };
    const { state } = body as { state?: string };
    const resolved_at = state === 'resolved' ? new Date(atMs).toISOString() : before.resolved_at;
    documents.set(incident, { assignment_group: null, resolution: null, ...before, ...body, resolved_at });
  }
  const incidents: PastIncident[] = [];
  for (const [number, document] of documents) {
    const createdAt = new Date(document.created_ms as number).toISOString();
    const subject = toSubject({ type: 'incident', after: { document, deleted: false } }, { createdAt })!;
    if (subject.facts?.kind !== 'incident' || subject.facts.open) continue;
    const id = `INC${number}`;
    await learn(index, id, subject, embed);
    incidents.push({ id, text: subject.units[0]!.text, ...(document as Omit<PastIncident, 'id' | 'text'>) });
  }
  return { index, incidents };
}

async function learn(index: LearnedIndex, id: string, { facts, units }: Subject, embed: Embed): Promise<void> {
  if (!facts) return;
  const learned = [];
  for (const { text, ...unit } of units) learned.push({ ...unit, vector: packed(await embed(text)) });
  index.apply(id, 1, encodeLearned({ facts, units: learned }));
}
