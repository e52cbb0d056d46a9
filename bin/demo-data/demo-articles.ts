import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PastTools } from '../../local/past.ts';
import { root } from '../local-build.ts';
import type { AtOnce } from './at-once.ts';
import { callService } from './demo-call.ts';
import { groups } from './people.ts';

// The knowledge base of the demo: one file per article, with its title, category, tags and state on top.

export interface DemoArticle {
  /** The file's name without its ending. */
  name: string;
  title: string;
  category: string;
  tags: string[];
  state: 'draft' | 'published';
  body: string;
}

const folder = join(root, 'bin/demo-data/articles');

export function demoArticles(): DemoArticle[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.md'));
  return names.sort().map((name) => articleIn(name.slice(0, -3), readFileSync(join(folder, name), 'utf8')));
}

/** Writes them all, a quarter of an hour apart, and lets the people one can sign in as follow their groups. */
export async function makeKnowledge(
  startMs: number,
  stackName: string,
  tools: PastTools,
  atOnce: AtOnce,
): Promise<void> {
  for (const [place, { name, ...body }] of demoArticles().entries()) {
    const actor = 'manager@example.com';
    const atMs = startMs + place * articleEveryMs;
    const call = { name: 'create-article', method: 'POST', path: '/knowledge/articles', atMs } as const;
    await atOnce.begin(name, () => callService({ ...call, actor, role: 'itsm_manager', body }, stackName, tools));
  }
  for (const actor of ['agent@example.com', 'manager@example.com']) {
    const followed = Object.entries(groups).filter(([, people]) => (people as readonly string[]).includes(actor));
    const call = { name: 'update-notification-settings', method: 'PATCH', path: '/notifications/settings' } as const;
    const body = { groups: followed.map(([group]) => group) };
    const atMs = startMs;
    await atOnce.begin(actor, () => callService({ ...call, actor, role: 'itsm_agent', body, atMs }, stackName, tools));
  }
}

const articleEveryMs = 15 * 60_000;

function articleIn(name: string, text: string): DemoArticle {
  const [, head, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  if (head === undefined || body === undefined) throw new Error(`${name}.md has no head between two lines of ---`);
  const fields = new Map(head.split('\n').map((line) => [line.split(': ', 1)[0]!, line.slice(line.indexOf(': ') + 2)]));
  const field = (key: string) => {
    const value = fields.get(key);
    if (!value) throw new Error(`${name}.md says nothing of its ${key}`);
    return value;
  };
  const state = fields.get('state') === 'draft' ? 'draft' : 'published';
  return { name, title: field('title'), category: field('category'), tags: field('tags').split(', '), state, body };
}
