// The base of all evaluations: the real embedding model and the real index, filled with articles and resolved incidents.
import { mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { buildDemoArticles } from '../../demo/articles.ts';
import { buildIncidentSteps } from '../../demo/incidents.ts';
import { type Embed, type Encoder, loadEncoder } from '../../lambdas/ai/embedding/embedder.ts';
import { modelFiles } from '../../lambdas/ai/embedding/model-files.ts';
import { packVector, type Vector } from '../../lambdas/ai/embedding/vector.ts';
import { LearnedIndex } from '../../lambdas/ai/knowledge/learned-index.ts';
import { encodeLearned } from '../../lambdas/ai/knowledge/learned-item.ts';
import type { ArticleText } from '../../lambdas/ai/knowledge/passages.ts';
import { type Subject, toSubject } from '../../lambdas/ai/learning/subject.ts';

/** Caches every vector, because evaluations embed the same texts repeatedly. */
export async function evaluationEncoder(): Promise<Encoder> {
  const folder = mkdtempSync(join(tmpdir(), 'model-'));
  for (const { source, name } of Object.values(modelFiles)) symlinkSync(resolve(source), join(folder, name));
  const { embed, compare } = await loadEncoder(folder);
  const vectors = new Map<string, Promise<Vector>>();
  return {
    compare,
    embed(text) {
      const vector = vectors.get(text) ?? embed(text);
      vectors.set(text, vector);
      return vector;
    },
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

/** One domain: a knowledge base of its own, with questions about it. The encoder has not seen it. */
export interface ReadingSet {
  name: string;
  articles: readonly ReadingArticle[];
}

/** The domains that the encoder was never trained on. */
export function loadReadingSets(): ReadingSet[] {
  return readDomains(new URL('reading/', import.meta.url));
}

const maxOffTopic = 60;

/** A sample of the questions to other domains. */
export function offTopicQuestions(set: ReadingSet, sets: readonly ReadingSet[]): string[] {
  const others = sets.filter((each) => each !== set);
  const questions = others.flatMap(({ articles }) =>
    articles.flatMap((article) => article.questions.map(({ q }) => q)),
  );
  const step = Math.ceil(questions.length / maxOffTopic);
  return questions.filter((_, place) => place % step === 0);
}

/** One file is one domain. */
function readDomains(folder: URL): ReadingSet[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return files.sort().map((file) => {
    const name = basename(file, '.jsonl');
    const lines = readFileSync(new URL(file, folder), 'utf8').trim().split('\n');
    const articles = lines.map((line, place) => {
      return { category: null, tags: [], ...JSON.parse(line), id: `${name}-${place}` } as ReadingArticle;
    });
    return { name, articles };
  });
}

function toArticleSubject({ id: _, ...document }: ArticleText & { id: string }): Subject | undefined {
  return toSubject('article', { document: { state: 'published', ...document }, deleted: false }, '');
}

export async function indexArticles(articles: readonly (ArticleText & { id: string })[], embed: Embed) {
  const index = new LearnedIndex();
  for (const article of articles) await learn(index, article.id, toArticleSubject(article), embed);
  return index;
}

export async function indexSets(sets: readonly ReadingSet[], embed: Embed): Promise<Map<string, LearnedIndex>> {
  const indexes = new Map<string, LearnedIndex>();
  for (const { name, articles } of sets) indexes.set(name, await indexArticles(articles, embed));
  return indexes;
}

/** The published articles of the demo; their names are their ids. */
export function publishedDemoArticles() {
  return buildDemoArticles()
    .filter(({ state }) => state === 'published')
    .map(({ name, ...document }) => ({ ...document, id: name }));
}

export interface PastIncident {
  id: string;
  text: string;
  category: string;
  priority: string;
  assignment_group: string | null;
  resolution: string | null;
}

/** All resolved demo incidents with their labels. */
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
    const subject = toSubject('incident', { document, deleted: false }, createdAt);
    if (subject?.facts?.kind !== 'incident' || subject.facts.open) continue;
    const id = `INC${number}`;
    await learn(index, id, subject, embed);
    const text = subject.units.map((unit) => unit.text).join(' ');
    incidents.push({ id, text, ...(document as Omit<PastIncident, 'id' | 'text'>) });
  }
  return { index, incidents };
}

async function learn(index: LearnedIndex, id: string, subject: Subject | undefined, embed: Embed): Promise<void> {
  if (!subject?.facts) return;
  const units = [];
  for (const { text, ...unit } of subject.units) units.push({ ...unit, vector: packVector(await embed(text)) });
  index.apply(id, 1, encodeLearned({ facts: subject.facts, units }));
}
