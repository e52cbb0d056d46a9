import { type DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { Clock } from '../../platform/clock.ts';

// | Access pattern          | Call             | Key                                       |
// |-------------------------|------------------|-------------------------------------------|
// | turns of a conversation | GetItem, PutItem | pk = conversation#<caller>#<id>, sk = #   |

export interface Turn {
  query: string;
  answer: string;
}

export interface Conversations {
  /** Undefined when the caller has no such conversation, or has not had it for an hour. */
  turns(callerId: string, id: string): Promise<readonly Turn[] | undefined>;
  keep(callerId: string, id: string, turns: readonly Turn[]): Promise<void>;
}

const keptForSeconds = 3_600;
const mostTurns = 4;

export function conversationStore(client: DynamoDBClient, table: string, clock: Clock): Conversations {
  const keyOf = (callerId: string, id: string) => ({ pk: { S: `conversation#${callerId}#${id}` }, sk: { S: '#' } });
  return {
    async turns(callerId, id) {
      const Key = keyOf(callerId, id);
      const { Item } = await client.send(new GetItemCommand({ TableName: table, Key, ConsistentRead: true }));
      if (!Item || Number(Item.expires_at!.N) * 1_000 <= clock.now()) return undefined;
      return JSON.parse(Item.turns!.S!);
    },
    async keep(callerId, id, turns) {
      const expires = Math.ceil(clock.now() / 1_000) + keptForSeconds;
      const Item = {
        ...keyOf(callerId, id),
        turns: { S: JSON.stringify(turns.slice(-mostTurns)) },
        expires_at: { N: String(expires) },
      };
      await client.send(new PutItemCommand({ TableName: table, Item }));
    },
  };
}
