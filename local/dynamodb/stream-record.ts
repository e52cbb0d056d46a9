// One change of an item as a stream gives it: as an object for who looks into it, as text for who hands it on. The text is
// put together from those of the items, which the writer had at hand.
import type { Item } from './attribute-value.ts';
import type { Table } from './table.ts';

export interface StreamRecord {
  eventID: string;
  eventName: 'INSERT' | 'MODIFY' | 'REMOVE';
  eventVersion: string;
  eventSource: string;
  awsRegion: string;
  dynamodb: {
    ApproximateCreationDateTime: number;
    Keys: Item;
    NewImage?: Item;
    OldImage?: Item;
    SequenceNumber: string;
    SizeBytes: number;
    StreamViewType: string;
  };
  eventSourceARN: string;
  userIdentity?: { type: string; principalId: string };
  [field: string]: unknown;
}

/** An item with its JSON. */
export interface Image {
  item: Item;
  text: string;
}

/** What is kept of a change. */
export interface StreamEntry {
  sequence: number;
  createdMs: number;
  event: StreamRecord['eventName'];
  keys: Image;
  newImage: Image | undefined;
  oldImage: Image | undefined;
  size: number;
  /** Whether the service itself deleted the item because its time had come. */
  cause: 'call' | 'expiry';
}

const firstSequence = 100_000_000_000_000_000_000n;
const perTable = 10_000_000_000_000n;

const texts = new WeakMap<StreamRecord, () => string>();

export function streamRecord(table: Table, region: string, entry: StreamEntry): StreamRecord {
  const { keys, newImage, oldImage } = entry;
  const SequenceNumber = sequenceText(table, entry.sequence);
  const head = {
    eventID: SequenceNumber.padStart(32, '0'),
    eventName: entry.event,
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: region,
    eventSourceARN: table.streamArn!,
    ...(entry.cause === 'expiry' ? { userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' } } : {}),
  };
  const about = {
    ApproximateCreationDateTime: Math.floor(entry.createdMs / 1000),
    SequenceNumber,
    SizeBytes: entry.size,
    StreamViewType: table.definition.stream!.view,
  };
  const record: StreamRecord = {
    ...head,
    dynamodb: {
      ...about,
      Keys: keys.item,
      ...(newImage ? { NewImage: newImage.item } : {}),
      ...(oldImage ? { OldImage: oldImage.item } : {}),
    },
  };
  let text: string | undefined;
  texts.set(record, () => {
    const images = `"Keys":${keys.text}${member('NewImage', newImage)}${member('OldImage', oldImage)}`;
    text ??= `${open(head)},"dynamodb":${open(about)},${images}}}`;
    return text;
  });
  return record;
}

/** The record as JSON; most are passed over, and nobody needs it. */
export function recordText(record: StreamRecord): string {
  return texts.get(record)?.() ?? JSON.stringify(record);
}

/** Sequence numbers of all tables differ: a table's number, which is never used again, leads. */
export function sequenceText({ id }: Table, sequence: number): string {
  return String(firstSequence + BigInt(id) * perTable + BigInt(sequence));
}

/** A number from before the table was made anew comes before all of its own. */
export function sequenceOf({ id }: Table, text: string | undefined): number {
  if (text === undefined) return 0;
  return Math.max(0, Number(BigInt(text) - firstSequence - BigInt(id) * perTable));
}

function member(name: string, image: Image | undefined): string {
  return image ? `,"${name}":${image.text}` : '';
}

/** An object's JSON without the brace at its end. */
function open(value: object): string {
  return JSON.stringify(value).slice(0, -1);
}
