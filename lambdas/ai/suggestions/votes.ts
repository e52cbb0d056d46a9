import type { IncidentFacts } from '../knowledge/learned-item.ts';

// Similar resolved incidents vote on what a new one is: the more similar, the more a vote counts. The confidence is how
// often such an election is right, measured (npm run eval), not how sure anybody sounds.

export interface Neighbour {
  id: string;
  cosine: number;
  facts: IncidentFacts;
}

export interface Elected<Value extends string = string> {
  value: Value;
  confidence: number;
  /** Those who voted for it, most similar first. */
  voters: readonly Neighbour[];
  /** How many voted. */
  turnout: number;
}

/** Less similar incidents have nothing to say. */
const leastSimilarity = 0.35;

export function elect<Value extends string>(
  neighbours: readonly Neighbour[],
  readValue: (facts: IncidentFacts) => Value | null,
): Elected<Value> | undefined {
  const votes = new Map<Value, { weight: number; voters: Neighbour[] }>();
  let all = 0;
  let turnout = 0;
  for (const neighbour of neighbours) {
    const value = readValue(neighbour.facts);
    if (value === null || neighbour.cosine < leastSimilarity) continue;
    const weight = (neighbour.cosine - leastSimilarity / 2) ** 4;
    const vote = votes.get(value) ?? { weight: 0, voters: [] };
    votes.set(value, { weight: vote.weight + weight, voters: [...vote.voters, neighbour] });
    all += weight;
    turnout++;
  }
  const [best] = [...votes].sort(([, a], [, b]) => b.weight - a.weight);
  if (!best) return undefined;
  const [value, { weight, voters }] = best;
  return { value, confidence: calibrated(weight / all, voters[0]!.cosine, turnout), voters, turnout };
}

/** A clear vote of close neighbours is right almost always; a clear vote of distant ones is not. */
function calibrated(share: number, similarity: number, turnout: number): number {
  const closeness = Math.min(1, Math.max(0, (similarity - 0.25) / 0.4));
  const crowd = turnout / (turnout + 0.35);
  return rounded(Math.min(0.99, share * (0.35 + 0.65 * closeness) * crowd));
}

export function rounded(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 1_000) / 1_000;
}
