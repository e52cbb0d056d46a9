import type { SuggestRequest } from '../../contract/ai-schemas.ts';
import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/response.ts';
import { type Assistant, embedderOnly, startStopwatch, toResponseMetadata } from './assistant.ts';
import { buildPriorityPrompt } from './prompts/reason-prompts.ts';
import { type Candidate, type Neighbour, suggestPriority, type Vote, vote } from './suggestions/votes.ts';

const maxNeighbours = 15;
const maxBasedOn = 3;
const ttlSeconds = 5 * 60;

export function suggestFields({ nearest, cache, writeReasons }: Assistant): UseCase<typeof routes.suggestFields> {
  return async ({ body }, { caller }) => {
    const elapsedMs = startStopwatch();
    const question = {
      endpoint: 'suggest',
      scope: [[...body.suggest_for].sort(), body.current ?? null],
      text: body.text,
      callerId: caller.id,
      ttlSeconds,
      matching: 'similar',
    } as const;
    const { value, match } = await cache(question, async () => {
      const neighbours = await nearest(body.text, maxNeighbours, { open: false });
      // Do not cache guesses without neighbours: similar incidents may be learned soon.
      const noCache = neighbours.length === 0 && { ttlSeconds: 0 };
      const suggestions = toSuggestions(body, neighbours);
      const { priority } = suggestions;
      const written = priority && (await writeReasons(buildPriorityPrompt(body.text, priority, neighbours)));
      if (priority && written) priority.reasoning = written.value.reasoning;
      const { modelUsed, tokensUsed } = written ?? embedderOnly;
      return { value: { suggestions, usage: { modelUsed, tokensUsed } }, usedVersions: {}, ...noCache };
    });
    const { suggestions, usage } = value;
    return { status: 200, body: { suggestions, ...toResponseMetadata(usage, elapsedMs(), match) } };
  };
}

/** Suggests values for empty fields. Suggests a priority over a chosen one only if it is higher. */
export function toSuggestions({ text, suggest_for, current = {} }: SuggestRequest, neighbours: readonly Neighbour[]) {
  const isWanted = (field: SuggestRequest['suggest_for'][number]) => suggest_for.includes(field) && !current[field];
  const category = isWanted('category') ? vote(neighbours, (facts) => facts.category) : undefined;
  const knownCategory = current.category ?? category?.value;
  const within = neighbours.filter(({ facts }) => facts.category === knownCategory);
  const isSubcategoryWanted = suggest_for.includes('category') && !current.subcategory && knownCategory !== undefined;
  const subcategory = isSubcategoryWanted ? vote(within, (facts) => facts.subcategory) : undefined;
  const group = isWanted('assignment_group') ? vote(neighbours, (facts) => facts.assignment_group) : undefined;
  const { reasoning, ...priority } = suggestPriority(text, neighbours);
  const isPriorityWanted = suggest_for.includes('priority') && (!current.priority || priority.value < current.priority);
  return {
    ...(category && { category: toSuggestion(category) }),
    ...(subcategory && {
      subcategory: toSuggestion({
        ...subcategory,
        confidence: Math.min(subcategory.confidence, category?.confidence ?? subcategory.confidence),
      }),
    }),
    ...(isPriorityWanted && { priority: { ...toSuggestion(priority), reasoning } }),
    ...(group && { assignment_group: toSuggestion(group) }),
  };
}

function toSuggestion<Value extends string>({ alternatives, ...best }: Omit<Vote<Value>, 'turnout'>) {
  return { ...toCandidate(best), alternatives: alternatives.map(toCandidate) };
}

function toCandidate<Value extends string>({ value, confidence, voters }: Candidate<Value>) {
  const based_on = voters.slice(0, maxBasedOn).map(({ id, facts }) => ({ incident_id: id, title: facts.title }));
  return { value, confidence, based_on };
}
