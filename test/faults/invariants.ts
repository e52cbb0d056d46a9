// What holds in the tables whatever failed: no record is half-written, and the event feed has no gap.
import { type AttributeValue, paginateScan } from '@aws-sdk/client-dynamodb';
import { ListQueuesCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { FeedEntry } from '../../contract/events.ts';
import { historyPrefix, toEntries } from '../../lambdas/records/history.ts';
import { call, getToken } from '../support/http.ts';
import type { Service } from '../support/service.ts';
import { createTableClient, findRecordsTable } from '../support/tables.ts';

type Item = Record<string, AttributeValue>;

type Body = Pick<FeedEntry, 'event' | 'timestamp' | 'data'>;

/** `delivered`: what the receiver of all events got. */
export async function findBrokenInvariants(service: Service, delivered: readonly Body[]): Promise<string[]> {
  const items = await scanRecords(service);
  const feed = await readFeed(service);
  const deadLetters = await readDeadLetters(service);
  /** An operator moves what no consumer could process back to its queue (docs/runbook.md). */
  const isKept = (id: unknown) => deadLetters.some((text) => text.includes(String(id)));
  const records = items.filter(isRecord);
  return [
    ...records.flatMap((record) => checkRecord(record, items)),
    ...findRepeated(items),
    ...checkFeed(feed),
    ...records.filter(({ pk }) => !isKept(pk?.S)).flatMap((record) => checkEvents(record, items, feed)),
    ...checkDeliveries(feed, delivered)
      .filter(({ data }) => !isKept(data.id))
      .map(formatMissingDelivery),
    ...(await listIncompleteJobs(service)).filter(({ id }) => !isKept(id)).map(({ why }) => why),
  ];
}

function isRecord({ sk, version }: Item): boolean {
  return sk?.S === '#' && version?.N !== undefined;
}

function checkDeliveries(feed: readonly FeedEntry[], delivered: readonly Body[]): FeedEntry[] {
  const toKey = ({ event, timestamp, data }: Body) => `${event} ${timestamp} ${data.id}`;
  const received = new Set(delivered.map(toKey));
  return feed.filter((entry) => !received.has(toKey(entry)));
}

function formatMissingDelivery({ event, data, sequence }: FeedEntry): string {
  return `event ${sequence} (${event} of ${data.id}) was not delivered`;
}

/** A job ends, and each of its records has a result. */
async function listIncompleteJobs(service: Service): Promise<{ id: string; why: string }[]> {
  const token = await getToken(service, 'admin');
  const incomplete: { id: string; why: string }[] = [];
  let query = 'limit=200';
  for (;;) {
    const { body } = await call(service, `/v1/jobs?${query}`, { token });
    for (const { job_id: id, status, total, succeeded, failed } of body.data) {
      if (['queued', 'running'].includes(status)) incomplete.push({ id, why: `${id} did not end` });
      else if (succeeded !== total)
        incomplete.push({ id, why: `${id}: ${succeeded} of ${total} records, ${failed} failed` });
    }
    if (!body.next_cursor) return incomplete;
    query = `limit=200&cursor=${body.next_cursor}`;
  }
}

/** The bodies of all messages that are in a dead-letter queue. */
async function readDeadLetters({ awsUrl, awsCredentials: credentials }: Service): Promise<string[]> {
  const client = new SQSClient({ endpoint: awsUrl, region: 'us-east-1', credentials });
  const { QueueUrls = [] } = await client.send(new ListQueuesCommand({ MaxResults: 1_000 }));
  const texts: string[] = [];
  for (const QueueUrl of QueueUrls.filter((url) => /DeadLetters|Aside/.test(url))) {
    for (;;) {
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 43_200 }),
      );
      texts.push(...Messages.map(({ Body = '' }) => Body));
      if (Messages.length === 0) break;
    }
  }
  client.destroy();
  return texts;
}

async function scanRecords(service: Service): Promise<Item[]> {
  const client = createTableClient(service);
  const TableName = await findRecordsTable(client);
  const items: Item[] = [];
  for await (const page of paginateScan({ client }, { TableName })) items.push(...(page.Items ?? []));
  client.destroy();
  return items;
}

async function readFeed(service: Service): Promise<FeedEntry[]> {
  const token = await getToken(service, 'admin');
  const entries: FeedEntry[] = [];
  for (;;) {
    const { body } = await call(service, `/v1/events?limit=200&after=${entries.at(-1)?.sequence ?? 0}`, { token });
    if (body.data.length === 0) return entries;
    entries.push(...body.data);
  }
}

/** A record has a history entry for each of its versions, and as many notes as it counts. */
function checkRecord(record: Item, items: readonly Item[]): string[] {
  const { pk, version, notes_count } = record;
  const id = pk?.S ?? '';
  const parts = items.filter((item) => item.pk?.S === id).map(({ sk }) => sk?.S ?? '');
  const versions = listVersions(record, items).map((entry) => entry.version);
  const expected = Array.from({ length: Number(version?.N) }, (_, index) => index + 1);
  const notes = parts.filter((sk) => sk.startsWith('note#')).length;
  return [
    ...(String(versions) === String(expected)
      ? []
      : [`${id} is at version ${version?.N} with the history ${versions}`]),
    ...(notes === Number(notes_count?.N ?? 0) ? [] : [`${id} counts ${notes_count?.N} notes and has ${notes}`]),
  ];
}

/** The history entries in items of their own and in the record's item. */
function listVersions({ pk, recent }: Item, items: readonly Item[]): { version: number; changes?: object }[] {
  const moved = items.filter((item) => item.pk?.S === pk?.S && isHistory(item)).flatMap(toEntries);
  return [...moved, ...JSON.parse(recent?.S ?? '[]')];
}

function isHistory({ sk }: Item): boolean {
  return sk?.S?.startsWith(historyPrefix) === true;
}

/** The requests give each new record and note a text of its own (requests.ts). */
function findRepeated(items: readonly Item[]): string[] {
  const byText = new Map<string, string[]>();
  const isNote = ({ sk }: Item) => sk?.S?.startsWith('note#');
  for (const { pk, sk, document } of items.filter((item) => isRecord(item) || isNote(item))) {
    const { short_description, title, body } = JSON.parse(document?.S ?? '{}') as Record<string, unknown>;
    const text = String(short_description ?? title ?? body);
    if (/ [0-9a-f-]{36}$/.test(text)) byText.set(text, [...(byText.get(text) ?? []), `${pk?.S} ${sk?.S}`]);
  }
  return [...byText.values()].filter((places) => places.length > 1).map((places) => `${places} are the same`);
}

function checkFeed(feed: readonly FeedEntry[]): string[] {
  const last = new Map<string, number>();
  return feed.flatMap(({ sequence, version, data }, index) => {
    const id = String(data.id);
    const isInOrder = version >= (last.get(id) ?? 0);
    last.set(id, version);
    return [
      ...(sequence === index + 1 ? [] : [`the feed has ${sequence} in place ${index + 1}`]),
      ...(isInOrder ? [] : [`the feed has version ${version} of ${id} after a later one`]),
    ];
  });
}

/** Every version of an incident that changes a field of the record has its events. */
function checkEvents(record: Item, items: readonly Item[], feed: readonly FeedEntry[]): string[] {
  if (record.type?.S !== 'incident') return [];
  const id = record.pk?.S;
  const emitted = new Set(feed.filter(({ data }) => data.id === id).map(({ version }) => version));
  return listVersions(record, items)
    .filter(({ version, changes = {} }) => (version === 1 || Object.keys(changes).length > 0) && !emitted.has(version))
    .map(({ version }) => `version ${version} of ${id} has no event`);
}
