import { incidentListing } from '../../../lambdas/incidents/incident-listing.ts';
import type { ListQuery } from '../../../lambdas/lists/list-engine.ts';
import { formatRecordId } from '../../../lambdas/lists/listing.ts';
import fc from '../../support/properties.ts';

// Few values of each kind, so that filters hit, ids collide and times tie.

const words = ['mail', 'Server', 'büro', 'BURO', 'down', 'vpn', '0x80070005', 'straße', 'STRASSE'];
const groups = ['network', 'mail', 'desk'];
const people = ['ada@example.com', 'eve@example.com'];
const categories = ['email', 'hardware', 'Büro'];
const { priority: priorities, state: states } = incidentListing.enums as { priority: string[]; state: string[] };

const text = fc.array(fc.constantFrom(...words), { maxLength: 4 }).map((each) => each.join(' '));

export const someId = fc.nat({ max: 2 ** 31 - 1 }).map((number) => formatRecordId(number * 16 + (number % 16), 'INC'));

export const fields = fc.record({
  priority: fc.constantFrom(...priorities),
  state: fc.constantFrom(...states),
  assignment_group: fc.option(fc.constantFrom(...groups)),
  assigned_to: fc.option(fc.constantFrom(...people)),
  category: fc.option(fc.constantFrom(...categories)),
  short_description: text,
  description: fc.option(text),
});

const someTime = fc.integer({ min: 0, max: 20 }).map((step) => Date.UTC(2026, 2, 1) + step * 1_000);

export const order = fc.constantFrom<ListQuery['order']>('asc', 'desc');
export const sort = fc.constantFrom('created_at', 'priority', 'updated_at');

export const query: fc.Arbitrary<ListQuery> = fc.record({
  enums: fc.record(
    {
      priority: fc.uniqueArray(fc.constantFrom(...priorities), { minLength: 1 }),
      state: fc.uniqueArray(fc.constantFrom(...states), { minLength: 1 }),
    },
    { requiredKeys: [] },
  ),
  strings: fc.record(
    {
      assignment_group: fc.constantFrom(...groups, 'nobody'),
      assigned_to: fc.constantFrom(...people),
      category: fc.constantFrom(...categories),
    },
    { requiredKeys: [] },
  ),
  times: fc.record(
    { created_at: fc.record({ afterMs: someTime, beforeMs: someTime }, { requiredKeys: [] }) },
    { requiredKeys: [] },
  ),
  text: fc.option(fc.constantFrom(...words, 'mail down', 'büro vpn', 'nothing'), { nil: undefined }),
  sort,
  order,
});
