// Labels the words of a question that may contain ids and names of kinds that the planner does not know.
import { createIdFinder } from '../../contract/ids.ts';
import { hasOwnMeaning } from './coverage.ts';
import type { Planner } from './plan.ts';
import type { TaggedQuestion } from './tag-question.ts';

export const recordId = createIdFinder(['incident', 'problem', 'change', 'request', 'ci', 'article'], 'gi');

/**
 * The letters of an id are random, so the planner reads one that it knows in its place. Lists of problems are read like those
 * of incidents, which it knows.
 */
export async function tagWithIds(question: string, { tag }: Planner): Promise<TaggedQuestion> {
  const known = question
    .replace(recordId, (id) => {
      const example = examples[id.slice(0, 3).toUpperCase()];
      return example?.length === id.length ? example : id;
    })
    .replace(problemRecords, (words) => (words.endsWith('s') ? 'tickets' : 'ticket').padEnd(words.length));
  const { spans, kind: tagged, unknown, plain = [] } = await tag(known);
  // "Drafts by Clara" are articles; those of changes are named.
  const isArticle =
    tagged === 'changes' && /\bdrafts?\b/i.test(question) && !/\b(?:chang|rfc|maint|depl|releas)/i.test(question);
  const kind = tagged === 'oncall' && !duty.test(question) ? 'incidents' : isArticle ? 'articles' : tagged;
  return {
    kind: kind === 'incidents' && question.search(problemRecords) >= 0 ? 'problems' : kind,
    unknown: [...unknown, ...plain.filter(hasOwnMeaning)],
    spans: spans.map((span) => ({ ...span, text: question.slice(span.from, span.until) })),
  };
}

const examples: Readonly<Record<string, string>> = {
  INC: 'INC7Q2M4KX',
  PRB: 'INC7Q2M4KX',
  CHG: 'CHG4M8K2TX',
  REQ: 'REQ1A2B3C4',
};

/** "Problems with the printer" are incidents. */
const problemRecords =
  /\bknown[- ]errors?\b|\bproblem records?\b|(?<=\b(?:open|unresolved|active|resolved|closed|new|our|all|many|newest|latest|oldest|which|list) )problems?\b(?! (?:with|in|at|on|for|did)\b)|\bproblems\b(?= (?:of|owned|assigned|are|by|per)\b)/gi;

export const duty = /call|duty|pag(?:e|ing)|wake|shift|rota|reach|stand-?by|phone|ring\b|schedule/i;
