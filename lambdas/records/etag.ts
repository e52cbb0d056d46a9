import { ServiceError } from '../platform/service-error.ts';
import type { StoredRecord } from './record.ts';

// An ETag is "<version>-<notes>", and "-s" once a resolution was suggested: strong, since these determine everything a
// record shows. If-None-Match compares all of it. If-Match compares the version only, because a note that somebody adds
// does not touch the fields that somebody else is editing (docs/decisions/0007-versions-and-repeats.md).

type Versioned = Pick<StoredRecord<unknown>, 'version' | 'notes_count' | 'suggested_resolution'>;

export function etagOf({ version, notes_count, suggested_resolution }: Versioned): string {
  return `"${version}-${notes_count}${suggested_resolution === undefined ? '' : '-s'}"`;
}

export function assertMatches(ifMatch: string | undefined, record: Versioned): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const versions = tagsIn(ifMatch).map((tag) => /^"(\d+)-\d+(?:-s)?"$/.exec(tag)?.[1]);
  if (versions.includes(String(record.version))) return;
  throw new ServiceError('precondition_failed', `The record has changed; its ETag is now ${etagOf(record)}.`, {
    headers: { ETag: etagOf(record) },
  });
}

/** Weak comparison, as RFC 9110 has it for If-None-Match. */
export function isUnchanged(ifNoneMatch: string | undefined, record: Versioned): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return tagsIn(ifNoneMatch).some((tag) => tag.replace(/^W\//, '') === etagOf(record));
}

function tagsIn(header: string): string[] {
  return header.split(',').map((tag) => tag.trim());
}
