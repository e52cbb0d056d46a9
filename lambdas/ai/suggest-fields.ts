import type { SuggestRequest } from '../../contract/ai.ts';
import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import type { AnswerCache } from './cache/answer-cache.ts';
import type { Nearest } from './suggestions/nearest-incidents.ts';
import { suggestPriority } from './suggestions/priority.ts';
import { elect, type Neighbour } from './suggestions/votes.ts';
import { embedderOnly, stopwatch, told } from './told.ts';

const electors = 15;
const rememberedForSeconds = 5 * 60;

export function suggestFields(nearest: Nearest, cache: AnswerCache): UseCase<typeof routes.suggestFields> {
  return async ({ body }, { caller }) => {
    const elapsedMs = stopwatch();
    const question = {
      endpoint: 'suggest',
      scope: [[...body.suggest_for].sort()],
      text: body.text,
      callerId: caller.id,
      rememberedForSeconds,
      matching: 'exact',
    } as const;
    const { value, match } = await cache(question, async () => {
      const neighbours = await nearest(body.text, electors);
      return { value: suggestionsFrom(body, neighbours), usedVersions: {} };
    });
    return { status: 200, body: { suggestions: value, ...told(embedderOnly, elapsedMs(), match) } };
  };
}

export function suggestionsFrom({ text, suggest_for }: SuggestRequest, neighbours: readonly Neighbour[]) {
  const wanted = new Set(suggest_for);
  const category = wanted.has('category') ? shown(elect(neighbours, (facts) => facts.category)) : undefined;
  const within = neighbours.filter(({ facts }) => facts.category === category?.value);
  const subcategory = category && shown(elect(within, (facts) => facts.subcategory));
  const group = wanted.has('assignment_group')
    ? shown(elect(neighbours, (facts) => facts.assignment_group))
    : undefined;
  return {
    ...(category && { category }),
    ...(subcategory && {
      subcategory: { ...subcategory, confidence: Math.min(subcategory.confidence, category.confidence) },
    }),
    ...(wanted.has('priority') && { priority: suggestPriority(text, neighbours) }),
    ...(group && { assignment_group: group }),
  };
}

function shown(elected: { value: string; confidence: number } | undefined) {
  return elected && { value: elected.value, confidence: elected.confidence };
}
