import { idFormats } from '../../../contract/ids.ts';
import type { ListingSpec } from '../../lists/listing.ts';

export const scheduleListing: ListingSpec = {
  type: 'schedule',
  idPrefix: idFormats.schedule.prefix,
  times: [],
  enums: {},
  strings: [],
  words: ['name', 'description'],
  sets: ['people'],
};
