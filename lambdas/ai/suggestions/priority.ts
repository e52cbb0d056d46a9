import type { Priority } from '../../../contract/states.ts';
import { type Neighbour, type Vote, vote } from './votes.ts';

// A priority from what similar incidents had. Words about many people or danger can raise it. No words lower it: a text
// that says "not urgent", or that wants to be overlooked, is not believed by that alone.

export interface SuggestedPriority extends Omit<Vote<Priority>, 'turnout'> {
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

/** The worth of words alone. */
const wordsConfidence = 0.4;

const defaultPriority: SuggestedPriority = {
  value: 'P3',
  confidence: 0.2,
  reasoning: 'No similar incident is known; P3 is the default.',
  voters: [],
  alternatives: [],
};

export function suggestPriority(text: string, neighbours: readonly Neighbour[]): SuggestedPriority {
  const known = fromNeighbours(neighbours) ?? defaultPriority;
  const sign = signs
    .map(({ pattern, atLeast }) => ({ word: pattern.exec(text)?.[0], atLeast }))
    .find(({ word }) => word !== undefined);
  // P1 is the highest and sorts first.
  if (!sign || known.value <= sign.atLeast) return known;
  const { value, confidence, voters, alternatives } = known;
  return {
    value: sign.atLeast,
    confidence: Math.max(wordsConfidence, confidence / 2),
    reasoning: `${known.reasoning} Raised to ${sign.atLeast} because the text says "${sign.word}".`,
    voters,
    alternatives: [
      { value, confidence: confidence / 2, voters },
      ...alternatives.filter((each) => each.value !== sign.atLeast),
    ],
  };
}

function fromNeighbours(neighbours: readonly Neighbour[]): SuggestedPriority | undefined {
  const found = vote<Priority>(neighbours, ({ priority }) => priority as Priority);
  if (!found) return undefined;
  const { value, voters, turnout } = found;
  const examples = voters.slice(0, 3).map(({ id }) => id);
  const reasoning = `${voters.length} of ${turnout} similar incidents were ${value}, among them ${examples.join(', ')}.`;
  return { ...found, reasoning };
}
