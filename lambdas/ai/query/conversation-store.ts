import { hash } from 'node:crypto';
import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../platform/clock.ts';

// | Access pattern          | Call             | Key                                       |
// |-------------------------|------------------|-------------------------------------------|
// | turns of a conversation | GetItem, PutItem | pk = conversation#<caller>#<id>, sk = #   |
// | a repeated question     | GetItem, PutItem | pk = query#<hash>, sk = #                 |

export interface Turn {
  query: string;
  answer: string;
}

export interface Conversations {
  /** Undefined if the caller has no such conversation, or its last turn is more than an hour old. */
  read(callerId: string, id: string): Promise<readonly Turn[] | undefined>;
  write(callerId: string, id: string, turns: readonly Turn[]): Promise<void>;
  /** The answer to the same question in the same state, if it is not older than a minute. */
  findAnswer(state: unknown): Promise<{ answer: Record<string, unknown>; ageSeconds: number } | undefined>;
  writeAnswer(state: unknown, answer: object): Promise<void>;
}

const retentionSeconds = 3_600;
const answerTtlMs = 60_000;
const maxTurns = 4;

export function conversationStore(client: DynamoDBDocumentClient, table: string, clock: Clock): Conversations {
  const toKey = (callerId: string, id: string) => ({ pk: `conversation#${callerId}#${id}`, sk: '#' });
  const toAnswerKey = (state: unknown) => ({ pk: `query#${hash('sha256', JSON.stringify(state))}`, sk: '#' });
  return {
    async read(callerId, id) {
      const Key = toKey(callerId, id);
      const { Item } = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
      if (!Item || Item.expires_at * 1_000 <= clock.now()) return undefined;
      return JSON.parse(Item.turns);
    },
    async write(callerId, id, turns) {
      const expires_at = Math.ceil(clock.now() / 1_000) + retentionSeconds;
      const Item = { ...toKey(callerId, id), turns: JSON.stringify(turns.slice(-maxTurns)), expires_at };
      await client.send(new PutCommand({ TableName: table, Item }));
    },
    async findAnswer(state) {
      const { Item } = await client.send(new GetCommand({ TableName: table, Key: toAnswerKey(state) }));
      const ageMs = clock.now() - (Item?.at ?? 0);
      if (!Item || ageMs >= answerTtlMs) return undefined;
      return { answer: JSON.parse(Item.answer), ageSeconds: Math.floor(ageMs / 1_000) };
    },
    async writeAnswer(state, answer) {
      const at = clock.now();
      const expires_at = Math.ceil((at + answerTtlMs) / 1_000);
      const Item = { ...toAnswerKey(state), answer: JSON.stringify(answer), at, expires_at };
      await client.send(new PutCommand({ TableName: table, Item }));
    },
  };
}
