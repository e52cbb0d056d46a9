// Incidents with long descriptions: few words are common and most are rare, and each record has three words of its own, such
// as an address or the number of a message.
import { incidentListing } from '../../../lambdas/incidents/incident-listing.ts';
import { encodeListing, formatRecordId } from '../../../lambdas/lists/listing.ts';
import { random } from '../../support/random.ts';

const vocabulary = Array.from({ length: 30_000 }, (_, index) => `w${index.toString(36)}`);

export function* encodeLongIncidents(count: number, words: number): Iterable<Uint8Array> {
  const { next, below } = random(20_261_116);
  const sentence = (length: number) => {
    let text = '';
    // The cube makes few words common.
    for (let index = 0; index < length; index++) text += `${vocabulary[Math.floor(vocabulary.length * next() ** 3)]} `;
    return text;
  };
  for (let number = 0; number < count; number++) {
    const at = new Date(Date.UTC(2026, 0, 1) + number * 1_000).toISOString();
    yield encodeListing(incidentListing, {
      id: formatRecordId(number, 'INC'),
      created_at: at,
      updated_at: at,
      resolved_at: at,
      priority: 'P3',
      state: 'closed',
      assignment_group: `group ${below(50)}`,
      assigned_to: `person${below(2_000)}@example.com`,
      category: `category ${below(20)}`,
      ci_id: `CI${below(10_000_000)}`,
      opened_by: `person${below(2_000)}@example.com`,
      short_description: sentence(7),
      description: `${sentence(words - 3)}10.${number >> 16}.x${number} m${number * 7} ${number}`,
    });
  }
}
