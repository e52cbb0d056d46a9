import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../platform/clock.ts';

// | Access pattern          | Call             | Key                                       |
// |-------------------------|------------------|-------------------------------------------|
// | turns of a conversation | GetItem, PutItem | pk = conversation#<caller>#<id>, sk = #   |

export interface Turn {
  query: string;
  answer: string;
}

export interface Conversations {
  /** Undefined if the caller has no such conversation, or its last turn is more than an hour old. */
  read(callerId: string, id: string): Promise<readonly Turn[] | undefined>;
  write(callerId: string, id: string, turns: readonly Turn[]): Promise<void>;
}

const retentionSeconds = 3_600;
const maxTurns = 4;

export function conversationStore(client: DynamoDBDocumentClient, table: string, clock: Clock): Conversations {
  const toKey = (callerId: string, id: string) => ({ pk: `conversation#${callerId}#${id}`, sk: '#' });
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
  };
}
