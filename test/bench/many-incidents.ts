// Generates any number of realistic incidents, the same in every run. Most are closed, and word frequencies vary.
import { incidentCreation } from '../../contract/incidents.ts';
import { incidentStates } from '../../contract/states.ts';
import { createIncidentRules, type IncidentDocument } from '../../lambdas/incidents/incident.ts';
import { formatRecordId } from '../../lambdas/lists/listing.ts';
import type { StoredRecord } from '../../lambdas/records/record.ts';
import { toLevels } from '../../lambdas/sla/level-store.ts';
import { startSla } from '../../lambdas/sla/sla.ts';

export type ManyIncidents = Iterable<StoredRecord<IncidentDocument>>;

export const groups = Array.from({ length: 40 }, (_, index) => `group-${index}`);
export const categories = Array.from({ length: 20 }, (_, index) => `category-${index}`);
export const startMs = Date.UTC(2021, 0, 1);
export const stepMs = 120_000;

const people = Array.from({ length: 2_000 }, (_, index) => `person${index}@example.com`);
const syllables = [
  'ra',
  'ne',
  'to',
  'li',
  'mo',
  'ser',
  'ver',
  'cu',
  'pan',
  'dis',
  'ko',
  'fi',
  'tur',
  'bel',
  'gan',
  'sy',
];
export const vocabulary = Array.from({ length: 4_096 }, (_, index) =>
  [index >> 8, (index >> 4) & 15, index & 15].map((place) => syllables[place]).join(''),
);

/** Descriptions have 8 to 17 words, or a given number. In order of creation, two minutes apart. Each was last changed within ten days. */
export function* createIncidents(count: number, descriptionWords?: number): ManyIncidents {
  const random = sequence(20_260_301);
  for (let index = 0; index < count; index++) {
    const createdMs = startMs + index * stepMs + Math.floor(random() * stepMs);
    const updatedMs = createdMs + Math.floor(random() * random() * 10 * 86_400_000);
    const priority = `P${1 + Math.min(3, Math.floor(random() * 2 + random() * 3))}` as 'P1';
    const state = random() < 0.8 ? 'closed' : incidentStates[Math.floor(random() * incidentStates.length)]!;
    yield {
      // This step visits every number once.
      id: formatRecordId((index * 11_400_714_819 + 7) % 2 ** 35, 'INC'),
      version: 2,
      created_at: new Date(createdMs).toISOString(),
      updated_at: new Date(updatedMs).toISOString(),
      deleted: false,
      notes_count: 1,
      private_notes_count: 0,
      document: toDocument(random, createdMs, priority, state, descriptionWords),
    };
  }
}

const { notify_stakeholders: _, ...defaults } = incidentCreation.parse({ short_description: 'default' });

function toDocument(
  random: () => number,
  createdMs: number,
  priority: IncidentDocument['priority'],
  state: IncidentDocument['state'],
  descriptionWords?: number,
): IncidentDocument {
  // The square makes some words common and most rare.
  const sentence = (words: number) =>
    Array.from({ length: words }, () => vocabulary[Math.floor(random() ** 2 * vocabulary.length)]).join(' ');
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!;
  return {
    ...defaults,
    short_description: sentence(5 + Math.floor(random() * 4)),
    description: `${sentence(descriptionWords ?? 8 + Math.floor(random() * 10))}.`,
    priority,
    state,
    category: pick(categories),
    impact: 'medium',
    urgency: 'medium',
    assignment_group: pick(groups),
    assigned_to: random() < 0.7 ? pick(people) : null,
    sla_breach_at: null,
    sla_breached_at: null,
    opened_by: pick(people),
    resolved_at: null,
    closed_at: null,
    acknowledged_at: null,
    acknowledged_by: null,
    external_id: null,
    reopen_count: 0,
    sla: startSla(createdMs, priority),
  };
}

export const benchIncidentType = createIncidentRules(toLevels({ P1: 240, P2: 480, P3: 1_440, P4: 4_320 })).resource;

function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
