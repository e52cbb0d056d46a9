import { createHash } from 'node:crypto';
import { type CiCreation, type CiDiscovery, type CiPatch, ciCreation } from '../../contract/cis.ts';
import type { routes } from '../../contract/routes.ts';
import { type Clock, toIso } from '../platform/clock.ts';
import type { UseCase } from '../platform/http/response.ts';
import { newId } from '../platform/ids.ts';
import { retry } from '../platform/retry.ts';
import { ServiceError } from '../platform/service-error.ts';
import { type ChangeRequest, type Changer, findRecord } from '../records/change-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import { type Item, readString } from '../records/items.ts';
import { type Author, createFirstVersion, toApiAuthor, toRecordResponse } from '../records/record.ts';
import { buildInsert, recordSortKey, toItemKey, toRecord } from '../records/record-item.ts';
import type { NewRecord } from '../records/record-operations.ts';
import type { Write } from '../records/write-items.ts';
import { applyCiPatch, type CiDocument, type CiRecord, ciType, newCiDocument } from './ci.ts';

export function updateCi(store: Pick<ItemStore, 'get'>, change: Changer<CiDocument>): UseCase<typeof routes.updateCi> {
  return async ({ params, headers, body }, { caller }) => {
    const author = toApiAuthor(caller);
    const record = await changeCi(store, change, { id: params.id, author, ifMatch: headers['If-Match'], patch: body });
    return { status: 200, ...toRecordResponse(ciType, record) };
  };
}

/**
 * Builds a new item with all writes that create it. They fail when the id is taken or when another request claims the
 * name at the same time; the next attempt uses another id and sees the owner of the name.
 */
export async function newCi(
  store: Pick<ItemStore, 'get'>,
  creation: CiCreation,
  author: Author,
  nowMs: number,
): Promise<NewRecord<CiDocument>> {
  return buildNewCi(await findClaim(store, creation), creation, author, nowMs, null);
}

export function buildNewCi(
  claim: Claim,
  creation: CiCreation,
  author: Author,
  nowMs: number,
  discoveredAt: string | null,
): NewRecord<CiDocument> {
  const record = createFirstVersion(newId('ci'), newCiDocument(creation, discoveredAt), nowMs);
  const claiming = 'owner' in claim ? [] : [claim.write(record.id)];
  return { record, writes: [...buildInsert(ciType, record, author), ...claiming] };
}

export interface CiChange extends Pick<ChangeRequest<CiDocument>, 'id' | 'author' | 'ifMatch'> {
  patch: CiPatch;
  /** Further writes of the same transaction. */
  additionalWrites?: readonly Write[];
  onConditionFailed?(by: string): void;
}

/** Applies a patch. A new name or class is claimed in the same transaction, unless another item has it. */
export async function changeCi(
  store: Pick<ItemStore, 'get'>,
  change: Changer<CiDocument>,
  { patch, additionalWrites = [], onConditionFailed, ...request }: CiChange,
): Promise<CiRecord> {
  const attempt = async () => {
    const claim = await findClaimWrites(store, request.id, patch);
    try {
      return await change({
        ...request,
        apply: (before) => ({
          document: applyCiPatch(before, patch),
          additionalWrites: [...claim, ...additionalWrites],
        }),
        onConditionFailed: (by) => {
          onConditionFailed?.(by);
          if (by === claimName) throw new ClaimLost();
          throw new Error(`the condition of "${by}" did not hold in a change of ${request.id}`);
        },
      });
    } catch (error) {
      if (!(error instanceof ClaimLost)) throw error;
      return undefined;
    }
  };
  return retry(attempt, { exhausted: createNameConflict });
}

const createNameConflict = () =>
  new ServiceError('unavailable', 'Too many concurrent requests for the same name. Try again.');

/** Another request claimed the name first. */
class ClaimLost extends Error {}

async function findClaimWrites(store: Pick<ItemStore, 'get'>, id: string, patch: CiPatch): Promise<Write[]> {
  if (patch.name === undefined && patch.class === undefined) return [];
  const { document } = await findRecord<CiDocument>(store, id);
  const identity = { name: patch.name ?? document.name, class: patch.class ?? document.class };
  if (isSameIdentity(identity, document)) return [];
  const claim = await findClaim(store, identity);
  return 'owner' in claim ? [] : [claim.write(id)];
}

export interface DiscoveryTools {
  store: Pick<ItemStore, 'get' | 'transact'>;
  change: Changer<CiDocument>;
  clock: Clock;
}

export interface DiscoveryContext {
  author: Author;
  /** The write that records the result, in the same transaction. */
  result(id: string): Write;
  onConditionFailed(by: string): void;
}

/**
 * Updates the item with this name and class, or creates it. If a concurrent request creates the item first, this one
 * retries and updates it.
 */
export async function discoverCi(
  { store, change, clock }: DiscoveryTools,
  discovery: CiDiscovery,
  { author, result, onConditionFailed }: DiscoveryContext,
): Promise<void> {
  const attempt = async (): Promise<true | undefined> => {
    const claim = await findClaim(store, discovery);
    if ('owner' in claim) {
      const { id } = claim.owner;
      await changeCi(store, change, {
        id,
        author,
        patch: discovery,
        additionalWrites: [result(id)],
        onConditionFailed,
      });
      return true;
    }
    const nowMs = clock.now();
    const creation = ciCreation.parse(discovery);
    const { record, writes } = buildNewCi(claim, creation, author, nowMs, toIso(nowMs));
    const outcome = await store.transact([result(record.id), ...writes]);
    if (outcome.kind === 'written') return true;
    if (outcome.kind === 'condition_failed') onConditionFailed(outcome.failedWrite);
    return undefined;
  };
  await retry(attempt, { exhausted: createNameConflict });
}

// Discovery identifies an item by name and class. A claim item per name and class stores the owner, so two concurrent
// discoveries create one item: the second claim fails, retries and finds the first. A claim can be stale after a rename
// or deletion; the next request then takes it over.
//
// | Access pattern                      | Call    | Key                                    |
// |-------------------------------------|---------|----------------------------------------|
// | the owner of a name and class       | GetItem | pk = ci-name#<hash of both>, sk = #    |

export type Identity = Pick<CiDocument, 'name' | 'class'>;

/** The item that owns the name, or the write that claims it. The write fails if another request claims the name first. */
export type Claim = { owner: CiRecord } | { write(ciId: string): Write };

export const claimName = 'claim';

export async function findClaim(store: Pick<ItemStore, 'get'>, identity: Identity): Promise<Claim> {
  const key = toItemKey(toPartitionKey(identity), recordSortKey);
  const found = await store.get(readString(key, 'pk'), recordSortKey);
  const before = found?.ci_id?.S;
  const owner = before === undefined ? undefined : await findLiveCi(store, before);
  if (owner && isSameIdentity(owner.document, identity)) return { owner };
  return { write: (ciId) => buildClaimWrite(key, ciId, before) };
}

export function isSameIdentity(a: Identity, b: Identity): boolean {
  return a.name === b.name && a.class === b.class;
}

function buildClaimWrite(key: Item, ciId: string, before: string | undefined): Write {
  const condition =
    before === undefined
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : { ConditionExpression: 'ci_id = :before', ExpressionAttributeValues: { ':before': { S: before } } };
  return { name: claimName, put: { Item: { ...key, ci_id: { S: ciId } }, ...condition } };
}

async function findLiveCi(store: Pick<ItemStore, 'get'>, id: string): Promise<CiRecord | undefined> {
  const item = await store.get(id, recordSortKey);
  const record = item && toRecord<CiDocument>(item);
  return record?.deleted ? undefined : record;
}

function toPartitionKey({ name, class: kind }: Identity): string {
  return `ci-name#${createHash('sha256')
    .update(JSON.stringify([kind, name]))
    .digest('base64url')}`;
}
