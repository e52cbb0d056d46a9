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

// Suggests the priority of similar incidents. Words about many people, danger or an outage of a site or of production can raise it. No words lower it, because an
// attacker could write "not urgent".

export interface SuggestedPriority extends Omit<Vote<Priority>, 'turnout'> {
  reasoning: string;
}

interface Sign {
  pattern: RegExp;
  /** The sign does not count after these words. */
  notAfter?: RegExp;
  atLeast: Priority;
}

/** "The printer at the Oslo site is down" is no outage of the site. */
const where = /\b(?:at|in|on|of|for|from) (?:the |our )?(?:\w{1,40} )?$/i;

const signs: readonly Sign[] = [
  { pattern: /\b(ransomware|files? (are|is|being) encrypted|data (breach|leak))\b/i, atLeast: 'P1' },
  {
    pattern:
      /\b(?:(?:sites?|locations?|offices?|plants?|branch|stores?|factory|warehouse|campus|hospital|building|headquarters|data cent(?:re|er))|production(?: (?:lines?|system|database|environment|cluster|servers?))?)(?: in \w{1,40}| \w{1,40})? (?:is|are|went|has gone|has been|stands) (?:completely |now )?(?:down|offline|cut off|unreachable|not reachable|without (?:power|network|connection|internet)|stopped|still)\b/i,
    notAfter: where,
    atLeast: 'P1',
  },
  {
    pattern:
      /\b(?:(?:sites?|locations?|offices?|plants?|branch|stores?|factory|warehouse|campus|hospital|building|headquarters|data cent(?:re|er))|production)(?: in \w{1,40}| \w{1,40})? (?:outage|blackout|standstill|(?:has|have) (?:lost|no)(?: its| the| any)? (?:network|connection|internet|power|electricity))\b/i,
    notAfter: where,
    atLeast: 'P1',
  },
  {
    pattern:
      /\b(?:outage|blackout|power cut|power failure|(?:no|lost) (?:network|connection|internet|power|electricity)(?: at all)?) (?:of|at|in|for) (?:the |our |all )?(?:\w{1,40} )?(?:(?:sites?|locations?|offices?|plants?|branch|stores?|factory|warehouse|campus|hospital|building|headquarters|data cent(?:re|er))|production)\b/i,
    atLeast: 'P1',
  },
  {
    pattern: /\b(everyone|everybody|nobody|no one|all (users|sites|customers|staff)|whole (site|company|office))\b/i,
    atLeast: 'P2',
  },
  { pattern: /\b(outage|(service|system) (is )?(completely )?(down|offline))\b/i, atLeast: 'P2' },
];

function findSign(text: string): { words: string; atLeast: Priority } | undefined {
  for (const { pattern, notAfter, atLeast } of signs) {
    const found = pattern.exec(text);
    if (found && !notAfter?.test(text.slice(Math.max(0, found.index - 80), found.index)))
      return { words: found[0], atLeast };
  }
  return undefined;
}

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
  const sign = findSign(text);
  // P1 is the highest and sorts first.
  if (!sign || known.value <= sign.atLeast) return known;
  const { value, confidence, voters, alternatives } = known;
  return {
    value: sign.atLeast,
    confidence: Math.max(wordsConfidence, confidence / 2),
    reasoning: `${known.reasoning} Raised to ${sign.atLeast} because the text says "${sign.words}".`,
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
