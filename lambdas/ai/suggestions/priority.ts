import type { Priority } from '../../../contract/priority.ts';
import { elect, type Neighbour } from './votes.ts';

// A priority from what similar incidents had. Words that tell of many people or of danger can raise it. No words lower
// it: whoever writes "not urgent", or wants to be overlooked, is not believed by that alone.

export interface SuggestedPriority {
  value: Priority;
  confidence: number;
  reasoning: string;
}

const signs: readonly { pattern: RegExp; atLeast: Priority }[] = [
  { pattern: /\b(ransomware|files? (are|is|being) encrypted|data (breach|leak))\b/i, atLeast: 'P1' },
  {
    pattern: /\b(everyone|everybody|nobody|no one|all (users|sites|customers|staff)|whole (site|company|office))\b/i,
    atLeast: 'P2',
  },
  { pattern: /\b(outage|(site|service|system|production) (is )?(completely )?(down|offline))\b/i, atLeast: 'P2' },
];

/** What words alone are worth. */
const wordsConfidence = 0.4;

const nothingKnown: SuggestedPriority = {
  value: 'P3',
  confidence: 0.2,
  reasoning: 'No similar incident is known; P3 is the default.',
};

export function suggestPriority(text: string, neighbours: readonly Neighbour[]): SuggestedPriority {
  const known = fromNeighbours(neighbours) ?? nothingKnown;
  const sign = signs
    .map(({ pattern, atLeast }) => ({ word: pattern.exec(text)?.[0], atLeast }))
    .find(({ word }) => word !== undefined);
  // P1 is the highest and sorts first.
  if (!sign || known.value <= sign.atLeast) return known;
  return {
    value: sign.atLeast,
    confidence: Math.max(wordsConfidence, known.confidence / 2),
    reasoning: `${known.reasoning} Raised to ${sign.atLeast} because the text says "${sign.word}".`,
  };
}

function fromNeighbours(neighbours: readonly Neighbour[]): SuggestedPriority | undefined {
  const elected = elect<Priority>(neighbours, ({ priority }) => priority as Priority);
  if (!elected) return undefined;
  const { value, confidence, voters, turnout } = elected;
  const examples = voters.slice(0, 3).map(({ id }) => id);
  return {
    value,
    confidence,
    reasoning: `${voters.length} of ${turnout} similar incidents were ${value}, among them ${examples.join(', ')}.`,
  };
}
