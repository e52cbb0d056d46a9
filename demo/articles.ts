import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toIncidentText, toSubject } from '../lambdas/ai/learning/subject.ts';
import { listReports } from './incidents.ts';
import { demoProblems } from './problems.ts';

// Demo knowledge base: one Markdown file per article with title, category, tags and state in its front matter.

export interface DemoArticle {
  /** File name without extension. */
  name: string;
  title: string;
  category: string;
  tags: string[];
  state: 'draft' | 'published';
  body: string;
}

const articleFolder = fileURLToPath(new URL('articles', import.meta.url));

export function buildDemoArticles(folder = articleFolder): DemoArticle[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.md'));
  return names.sort().map((name) => parseArticle(name.slice(0, -3), readFileSync(join(folder, name), 'utf8')));
}

/** All texts in the demo data that the AI functions embed, without duplicates. */
export function listDemoTexts(): string[] {
  const articles = buildDemoArticles().flatMap(({ name: _, ...document }) => {
    const subject = toSubject('article', { document, deleted: false }, '');
    return subject?.units.map(({ text }) => text) ?? [];
  });
  const problems = demoProblems.map(({ fields }) => fields);
  return [...new Set([...articles, ...[...listReports(), ...problems].map(toIncidentText)])];
}

function parseArticle(name: string, text: string): DemoArticle {
  const [, head, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  if (head === undefined || body === undefined) throw new Error(`${name}.md has no front matter`);
  const fields = new Map(
    head.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
  );
  const readField = (key: string) => {
    const value = fields.get(key);
    if (!value) throw new Error(`${name}.md has no ${key}`);
    return value;
  };
  const state = fields.get('state') === 'draft' ? 'draft' : 'published';
  return {
    name,
    title: readField('title'),
    category: readField('category'),
    tags: readField('tags').split(', '),
    state,
    body,
  };
}
