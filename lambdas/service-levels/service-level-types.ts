import type { Calendar } from '../../contract/calendars.ts';
import { idFormats } from '../../contract/ids.ts';
import type { SlaPolicy } from '../../contract/sla-policies.ts';
import { slaKinds } from '../../contract/states.ts';
import { createDocumentType } from '../lists/document-type.ts';
import type { ListingSpec } from '../lists/listing.ts';
import type { FromRecord } from '../records/record.ts';

export type CalendarDocument = Omit<Calendar, FromRecord>;

export type PolicyDocument = Omit<SlaPolicy, FromRecord>;

const common = { times: [], strings: [], words: ['name', 'description'] };

export const calendarListing: ListingSpec = {
  type: 'calendar',
  idPrefix: idFormats.calendar.prefix,
  enums: {},
  ...common,
};

export const slaPolicyListing: ListingSpec = {
  type: 'sla_policy',
  idPrefix: idFormats.slaPolicy.prefix,
  enums: { kind: slaKinds },
  ...common,
};

export const calendarType = createDocumentType<CalendarDocument, Calendar>(calendarListing, 'calendars');

export const policyType = createDocumentType<PolicyDocument, SlaPolicy>(slaPolicyListing, 'sla-policies');
