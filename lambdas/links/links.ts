import { findIdKind, idPatterns } from '../../contract/ids.ts';
import { type Link, maxLinks } from '../../contract/links.ts';
import { type LinkedKind, type LinkType, linkedKinds, linkInverses } from '../../contract/states.ts';
import type { ReadRecords } from '../lists/record-store.ts';
import type { Caller } from '../platform/caller.ts';
import { toIso } from '../platform/clock.ts';
import { retry } from '../platform/retry.ts';
import { invalidField, ServiceError } from '../platform/service-error.ts';
import { type Changer, findRecord, notFound } from '../records/change-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import {
  type Author,
  type Linked,
  type RecordType,
  type StoredLink,
  type StoredRecord,
  toApiAuthor,
} from '../records/record.ts';
import { buildUpdate } from '../records/record-item.ts';
import type { Write } from '../records/write-items.ts';

// Each of two linked records stores the link in its own document, as its side sees it. One transaction changes both, so
// neither exists without the other, and each change is a version with its own history entry.

interface Named extends Linked {
  short_description: string;
  state: string;
}

export interface LinkTools {
  store: Pick<ItemStore, 'get'>;
  read: ReadRecords;
  change: Changer<Linked>;
  types: Readonly<Record<LinkedKind, RecordType<never>>>;
}

export function listLinks({ store, read }: Pick<LinkTools, 'store' | 'read'>) {
  return async ({ params: { id } }: { params: { id: string } }) => {
    const { document } = await findRecord<Linked>(store, id);
    return { status: 200 as const, body: { links: await toViews(document.links ?? [], read) } };
  };
}

async function toViews(links: readonly StoredLink[], read: ReadRecords): Promise<Link[]> {
  const records = links.length === 0 ? [] : await read<Named>(links.map(({ id }) => id));
  const found = new Map(records.map(({ record }) => [record.id, record.document]));
  return links.map(({ type, id, at, by }) => ({
    type,
    record_id: id,
    record_type: toKind(id),
    short_description: found.get(id)?.short_description ?? null,
    state: found.get(id)?.state ?? null,
    created_at: at,
    created_by: by,
  }));
}

interface CreateInput {
  params: { id: string };
  body: { type: LinkType; record_id: string };
}

export function createLink(tools: LinkTools) {
  return async ({ params: { id }, body: { type, record_id } }: CreateInput, { caller }: { caller: Caller }) => {
    if (record_id === id) throw invalidField('record_id', 'must be another record');
    if (type === 'duplicate_of' && !idPatterns.incident.test(record_id)) {
      throw invalidField('type', 'duplicate_of needs an incident');
    }
    const { document } = await changeBoth(tools, [id, record_id], toApiAuthor(caller), (own, nowMs) => {
      const other = own.id === id ? record_id : id;
      const side = own.id === id ? type : linkInverses[type];
      const links = own.document.links ?? [];
      if (links.some((link) => link.id === other && link.type === side)) return links;
      const kept = links.filter((link) => link.id !== other);
      const original = side === 'duplicate_of' && kept.find((link) => link.type === side);
      if (original) throw invalidField('type', `is already a duplicate of ${original.id}`);
      if (kept.length >= maxLinks) {
        throw new ServiceError('limit_reached', `${own.id} already has ${maxLinks} links. Remove one first.`);
      }
      return [...kept, { type: side, id: other, at: toIso(nowMs), by: caller.email }];
    }).catch((error: unknown) => {
      const isUnknown =
        error instanceof ServiceError && error.code === 'not_found' && error.message.startsWith(record_id);
      throw isUnknown ? invalidField('record_id', 'does not exist') : error;
    });
    const [body] = await toViews(
      (document.links ?? []).filter((link) => link.id === record_id),
      tools.read,
    );
    return { status: 201 as const, body: body as Link };
  };
}

/** The link to a deleted record can be removed from the side of the incident. */
export function deleteLink(tools: LinkTools) {
  return async (
    { params: { id, record_id } }: { params: { id: string; record_id: string } },
    { caller }: { caller: Caller },
  ) => {
    const { document } = await findRecord<Linked>(tools.store, id);
    if (!document.links?.some((link) => link.id === record_id)) throw notFound(`The link to ${record_id}`);
    await changeBoth(tools, [id, record_id], toApiAuthor(caller), (own) =>
      (own.document.links ?? []).filter((link) => link.id !== (own.id === id ? record_id : id)),
    );
    return { status: 204 as const };
  };
}

/** The other record changed since it was read. */
class OtherChanged extends Error {}

type EditLinks = (record: StoredRecord<Linked>, nowMs: number) => readonly StoredLink[];

function changeBoth(
  { store, change, types }: LinkTools,
  [id, otherId]: readonly [string, string],
  author: Author,
  edit: EditLinks,
): Promise<StoredRecord<Linked>> {
  const attempt = async () => {
    const other = await findRecord<Linked>(store, otherId, 'shown');
    await types[toKind(otherId)].prepare?.(other as StoredRecord<never>);
    if (other.deleted && edit(other, 0).length >= (other.document.links ?? []).length) throw notFound(otherId);
    return change({
      id,
      author,
      apply: (before, nowMs) => ({
        document: { ...before.document, links: edit(before, nowMs) },
        additionalWrites: other.deleted ? [] : buildLinkWrites(types[toKind(otherId)], other, author, edit, nowMs),
      }),
      onConditionFailed: () => {
        throw new OtherChanged();
      },
    }).catch((error: unknown) => {
      if (error instanceof OtherChanged) return undefined;
      throw error;
    });
  };
  const exhausted = () =>
    new ServiceError('unavailable', 'Too many concurrent updates to the same records. Try again.');
  return retry(attempt, { exhausted });
}

function buildLinkWrites(
  type: RecordType<never>,
  before: StoredRecord<Linked>,
  author: Author,
  edit: EditLinks,
  nowMs: number,
): Write[] {
  const links = edit(before, nowMs);
  if (links === before.document.links) return [];
  const atMs = Math.max(nowMs, Date.parse(before.updated_at) + 1);
  const document = { ...before.document, links };
  const after = { ...before, document, version: before.version + 1, updated_at: toIso(atMs) };
  const writes = buildUpdate(type as unknown as RecordType<Linked>, [before, after], author);
  // Distinguishes them from those of the first record.
  return writes.map((write) => ({ ...write, name: 'linked' }));
}

function toKind(id: string): LinkedKind {
  const kind = findIdKind(id);
  const found = linkedKinds.find((each) => each === kind);
  if (!found) throw new Error(`${id} cannot be linked`);
  return found;
}
