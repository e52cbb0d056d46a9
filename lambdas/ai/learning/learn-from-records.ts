import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { type RecordChange, recordChange } from '../../events/record-change.ts';
import type { IncidentDocument } from '../../incidents/incident.ts';
import type { Clock } from '../../platform/clock.ts';
import { errorFields, type Log } from '../../platform/log.ts';
import type { Embed } from '../embedding/embedder.ts';
import { packed, packedBytes } from '../embedding/vector.ts';
import { encodeLearned, forgotten } from '../knowledge/learned-item.ts';
import { countedTerms } from '../knowledge/terms.ts';
import type { LearnedStore, SuggestedResolution } from './learned-store.ts';
import { hashOf, incidentText, type Subject, subjectOf } from './subject.ts';

// From the stream of committed writes to what the AI layer knows. A record is embedded when its text changes; what only
// changes its fields keeps its vectors. Versions decide, so an entry that comes again changes nothing. Most changes touch
// nothing that anybody could find, and cost nothing.

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
      tools.log('error', 'nothing could be learned of a record', {
        keys: entry.dynamodb?.Keys,
        ...errorFields(error),
      });
      // What comes after it comes again with it, in order.
      return { batchItemFailures: [{ itemIdentifier: entry.dynamodb!.SequenceNumber! }] };
    }
  }
  return { batchItemFailures: [] };
}

async function learn(entry: DynamoDBRecord, tools: LearnTools): Promise<void> {
  const change = recordChange(entry);
  if (!change) return;
  const times = { createdAt: entry.dynamodb!.NewImage!.created_at!.S! };
  const subject = subjectOf(change, times);
  if (!subject) return;
  const at = new Date(tools.clock.now()).toISOString();
  if (isNewIncident(change)) await suggest(change, at, tools);
  if (isDeletion(change)) await tools.learned.withdrawSuggestions(change.id, at);
  const before = change.before && subjectOf({ type: change.type, after: change.before }, times);
  if (isSame(before?.facts ? before : nothing, subject.facts ? subject : nothing)) return;
  const known = await tools.learned.get(change.id);
  if (known && known.version >= change.version) return;
  const textHash = hashOf(subject.texts);
  const vectors = known?.textHash === textHash ? known.vectors : await embedded(subject.texts, tools.embed);
  await tools.learned.put(change.id, { version: change.version, textHash, vectors }, listingOf(subject, vectors), at);
}

const nothing: Subject = { facts: null, texts: [] };

function isSame(one: Subject, two: Subject): boolean {
  return JSON.stringify(one) === JSON.stringify(two);
}

async function embedded(texts: readonly string[], embed: Embed): Promise<Uint8Array> {
  const vectors: Uint8Array[] = [];
  for (const text of texts) vectors.push(packed(await embed(text)));
  return Buffer.concat(vectors);
}

function listingOf({ facts, texts }: Subject, vectors: Uint8Array): Uint8Array {
  if (!facts) return forgotten;
  const passages = texts.map((text, index) => ({
    vector: vectors.subarray(index * packedBytes, (index + 1) * packedBytes),
    terms: countedTerms(text),
  }));
  return encodeLearned({ facts, passages });
}

function isNewIncident({ type, before, after }: RecordChange): boolean {
  return type === 'incident' && before === null && !after.deleted;
}

function isDeletion({ type, before, after }: RecordChange): boolean {
  return type === 'incident' && after.deleted && before?.deleted === false;
}

async function suggest({ id, after }: RecordChange, at: string, { resolutionFor, learned }: LearnTools): Promise<void> {
  const suggestion = await resolutionFor(incidentText(after.document as IncidentDocument));
  if (suggestion !== undefined) await learned.suggestResolution(id, suggestion, at);
}
