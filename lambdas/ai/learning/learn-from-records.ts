import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { type RecordChange, toRecordChange } from '../../events/event.ts';
import type { IncidentDocument } from '../../incidents/incident.ts';
import { type Clock, toIso } from '../../platform/clock.ts';
import { type Log, toErrorFields } from '../../platform/log.ts';
import { requireValue } from '../../platform/require-value.ts';
import type { Embed } from '../embedding/embedder.ts';
import { packed, packedBytes } from '../embedding/vector.ts';
import { encodeLearned, forgotten } from '../knowledge/learned-item.ts';
import type { LearnedStore, LearnedVersion, SuggestedResolution } from './learned-store.ts';
import { hashUnits, nothingToLearn, type Subject, toIncidentText, toSubject, type Unit } from './subject.ts';

// Learns from the stream of committed writes. A record is embedded when its text changes; a change of other fields keeps
// the vectors. Versions decide, so a repeated entry changes nothing. Most writes touch nothing that a search could find
// and cost nothing.

export interface LearnTools {
  embed: Embed;
  learned: LearnedStore;
  /** What solved similar incidents; undefined when nothing is similar enough. */
  resolutionFor(text: string): Promise<SuggestedResolution | undefined>;
  clock: Clock;
  log: Log;
}

export async function learnFromRecords(
  { Records }: DynamoDBStreamEvent,
  tools: LearnTools,
): Promise<DynamoDBBatchResponse> {
  for (const entry of Records) {
    try {
      await learn(entry, tools);
    } catch (error) {
      tools.log('error', 'learning from a record failed', { keys: entry.dynamodb?.Keys, ...toErrorFields(error) });
      // The stream delivers this entry and all later ones again, in order.
      return { batchItemFailures: [{ itemIdentifier: requireValue(entry.dynamodb?.SequenceNumber) }] };
    }
  }
  return { batchItemFailures: [] };
}

async function learn(entry: DynamoDBRecord, tools: LearnTools): Promise<void> {
  const change = toRecordChange(entry);
  if (!change) return;
  const times = { createdAt: requireValue(entry.dynamodb?.NewImage?.created_at?.S) };
  const subject = toSubject(change, times);
  if (!subject) return;
  const at = toIso(tools.clock.now());
  if (isNewIncident(change)) await suggest(change, at, tools);
  if (isDeletion(change)) await tools.learned.withdrawSuggestions(change.id, at);
  const before = change.before && toSubject({ type: change.type, after: change.before }, times);
  if (isSame(before?.facts ? before : nothingToLearn, subject)) return;
  // Nothing was learned of a new record before, and a repeated entry fails the condition of the write.
  const known = change.before ? await tools.learned.get(change.id) : undefined;
  await learnVersion(tools, { id: change.id, version: change.version, subject, known });
}

export const learnedTypes = ['incident', 'article'] as const;

export type LearnRecord = (id: string, version: number, subject: Subject) => Promise<void>;

/** Learns a version of a record, unless it or a later one is known. */
export function learnRecord(tools: Pick<LearnTools, 'learned' | 'embed' | 'clock'>): LearnRecord {
  return async (id, version, subject) =>
    learnVersion(tools, { id, version, subject, known: await tools.learned.get(id) });
}

async function learnVersion(
  { learned, embed, clock }: Pick<LearnTools, 'learned' | 'embed' | 'clock'>,
  given: { id: string; version: number; subject: Subject; known: LearnedVersion | undefined },
): Promise<void> {
  const { id, version, subject, known } = given;
  if (known && known.version >= version) return;
  const textHash = hashUnits(subject.units);
  const vectors = known?.textHash === textHash ? known.vectors : await embedUnits(subject.units, embed);
  await learned.put(id, { version, textHash, vectors }, toListing(subject, vectors), toIso(clock.now()));
}

function isSame(one: Subject, two: Subject): boolean {
  return JSON.stringify([one.facts, one.units.map(getText)]) === JSON.stringify([two.facts, two.units.map(getText)]);
}

const getText = ({ text }: Unit) => text;

async function embedUnits(units: readonly Unit[], embed: Embed): Promise<Uint8Array> {
  const vectors: Uint8Array[] = [];
  for (const { text } of units) vectors.push(packed(await embed(text)));
  return Buffer.concat(vectors);
}

function toListing({ facts, units }: Subject, vectors: Uint8Array): Uint8Array {
  if (!facts) return forgotten;
  const learned = units.map(({ text: _, ...unit }, index) => {
    return { ...unit, vector: vectors.subarray(index * packedBytes, (index + 1) * packedBytes) };
  });
  return encodeLearned({ facts, units: learned });
}

function isNewIncident({ type, before, after }: RecordChange): boolean {
  return type === 'incident' && before === null && !after.deleted;
}

function isDeletion({ type, before, after }: RecordChange): boolean {
  return type === 'incident' && after.deleted && before?.deleted === false;
}

async function suggest({ id, after }: RecordChange, at: string, { resolutionFor, learned }: LearnTools): Promise<void> {
  const suggestion = await resolutionFor(toIncidentText(after.document as IncidentDocument));
  if (suggestion !== undefined) await learned.suggestResolution(id, suggestion, at);
}
