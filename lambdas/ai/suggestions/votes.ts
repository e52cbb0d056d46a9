import type { Priority } from '../../../contract/states.ts';
import { roundShare } from '../assistant.ts';
import { calibration } from '../knowledge/calibration.ts';
import type { FoundIncident } from '../knowledge/incident-search.ts';
import type { IncidentFacts } from '../knowledge/learned-item.ts';

// Similar resolved incidents vote on the fields of a new one, weighted by similarity. The confidence approximates how often
// such a vote is right (npm run eval).

export type Neighbour = Pick<FoundIncident, 'id' | 'cosine' | 'facts'>;

export interface Candidate<Value extends string = string> {
  value: Value;
  confidence: number;
  /** Most similar first. */
  voters: readonly Neighbour[];
}

export interface Vote<Value extends string = string> extends Candidate<Value> {
  alternatives: readonly Candidate<Value>[];
  /** The number of votes for any value. */
  turnout: number;
}

const maxAlternatives = 2;

export function vote<Value extends string>(
  neighbours: readonly Neighbour[],
  readValue: (facts: IncidentFacts) => Value | null,
): Vote<Value> | undefined {
  const min = calibration.similarity.vote;
  const votes = new Map<Value, { weight: number; voters: Neighbour[] }>();
  let total = 0;
  let turnout = 0;
  for (const neighbour of neighbours) {
    const value = readValue(neighbour.facts);
    if (value === null || neighbour.cosine < min) continue;
    const weight = (neighbour.cosine - min / 2) ** 4;
    const known = votes.get(value) ?? { weight: 0, voters: [] };
    votes.set(value, { weight: known.weight + weight, voters: [...known.voters, neighbour] });
    total += weight;
    turnout++;
  }
  const [best, ...others] = [...votes]
    .sort(([, a], [, b]) => b.weight - a.weight)
    .map(([value, { weight, voters }]) => {
      return { value, confidence: toConfidence(weight / total, voters[0]?.cosine ?? 0, turnout), voters };
    });
  return best && { ...best, alternatives: others.slice(0, maxAlternatives), turnout };
}

/** A clear vote is reliable only if the neighbours are similar. */
function toConfidence(share: number, similarity: number, turnout: number): number {
  const crowd = turnout / (turnout + 0.35);
  return roundShare(Math.min(0.99, share * (0.35 + 0.65 * toCloseness(similarity)) * crowd));
}

/** From 0 for unrelated texts to 1 for almost equal ones. */
export function toCloseness(cosine: number): number {
  const { far, near } = calibration.similarity;
  return Math.min(1, Math.max(0, (cosine - far) / (near - far)));
}

// Suggests the priority of similar incidents. Words about many people or danger can raise it. No words lower it, because an
// attacker could write "not urgent".

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

/** The minimum confidence of a priority that words raised. */
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
