import type { Override } from '../../../contract/schedule-overrides.ts';
import type { Schedule } from '../../../contract/schedules.ts';
import { createDocumentType } from '../../lists/document-type.ts';
import { diffFields } from '../../records/change-record.ts';
import { type FromRecord, type StoredRecord, toDocumentResponse } from '../../records/record.ts';
import { scheduleListing } from './schedule-listing.ts';

/**
 * Overrides are part of the schedule: one read finds the person on call, and the history shows who took which period.
 * Only a hash of the key of the calendar feed is stored.
 */
export interface ScheduleDocument extends Omit<Schedule, FromRecord> {
  overrides: readonly Override[];
  calendar_key_hash: string | null;
}

export const scheduleResource = createDocumentType<ScheduleDocument, Schedule>(scheduleListing, 'schedules', {
  toResponse: toScheduleResponse,
  columns: (document) => ({ people: listPeople(document) }),
  changes: (before, after) => {
    const [{ calendar_key_hash: _, overrides: old = [], ...from }, { calendar_key_hash: __, overrides = [], ...to }] = [
      before,
      after,
    ];
    return { ...diffFields(from, to), ...diffOverrides(old, overrides) };
  },
});

function toScheduleResponse({ document, ...record }: StoredRecord<ScheduleDocument>): Schedule {
  const { overrides: _, calendar_key_hash: __, ...visible } = document;
  return toDocumentResponse({ ...record, document: visible });
}

/** Everybody in the layers, each once. */
export function listPeople({ layers }: Pick<Schedule, 'layers'>): string[] {
  return [...new Set(layers.flatMap(({ people }) => people))];
}

/** A schedule may have hundreds of overrides, so the history has only the ones that were added and removed. */
function diffOverrides(before: readonly Override[], after: readonly Override[]) {
  const removed = before.filter((one) => !after.some(({ id }) => id === one.id));
  const added = after.filter((one) => !before.some(({ id }) => id === one.id));
  if (removed.length + added.length === 0) return {};
  return { overrides: { from: removed.length > 0 ? removed : null, to: added.length > 0 ? added : null } };
}
