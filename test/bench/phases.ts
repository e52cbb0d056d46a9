import type { Service } from '../support/service.ts';
import type { Shot } from './load.ts';
import { vocabulary } from './many-incidents.ts';

const groups = ['network', 'database', 'desktop', 'platform', 'security'];
const words = ['printer', 'router', 'latency', 'certificate', 'login', 'backup', 'disk', 'mail', 'queue', 'payment'];

/** About 650 characters, like the descriptions that people write. */
function describe(index: number): string {
  const sentence = Array.from({ length: 80 }, (_, word) => pick(vocabulary, index * 97 + word * word * 13));
  return `Seen by user ${index}. ${words.slice(index % 5).join(' ')} ${sentence.join(' ')}`;
}

/** The most frequent operations on incidents. `create` comes first, because the others use its records. */
export function buildPhases(service: Service, tokens: readonly string[]): Record<string, (index: number) => Shot> {
  const api = `${service.baseUrl}/prod/api/v1`;
  const ids: string[] = [];
  const shot = (path: string, index: number, more: Partial<Shot> = {}): Shot => ({
    url: `${api}${path}`,
    headers: { authorization: `Bearer ${tokens[index % tokens.length]}`, 'content-type': 'application/json' },
    ...more,
  });
  const createBody = (index: number) =>
    JSON.stringify({
      short_description: `${pick(words, index)} ${pick(words, index * 7 + 3)} fails for team ${index % 97}`,
      description: describe(index),
      priority: `P${1 + (index % 4)}`,
      assignment_group: pick(groups, index),
      category: pick(words, index * 3),
    });
  const remember = (text: string) => ids.push(JSON.parse(text).id);
  return {
    create: (index) => shot('/incidents', index, { method: 'POST', body: createBody(index), onBody: remember }),
    get: (index) => shot(`/incidents/${pick(ids, index * 31)}`, index),
    'list 25, filtered': (index) =>
      shot(`/incidents?priority=P1,P2&assignment_group=${pick(groups, index)}&limit=25`, index),
    update: (index) =>
      shot(`/incidents/${pick(ids, index * 17)}`, index, {
        method: 'PATCH',
        body: JSON.stringify({ subcategory: `s${index}` }),
      }),
    search: (index) => shot(`/incidents?q=${pick(words, index)}%20team&limit=25`, index),
  };
}

function pick<T>(list: readonly T[], index: number): T {
  return list[index % list.length]!;
}
