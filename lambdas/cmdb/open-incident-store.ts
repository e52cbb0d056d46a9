import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';

// | Access pattern                              | Call  | Key                                          |
// |---------------------------------------------|-------|----------------------------------------------|
// | the open incidents of an item, newest first | Query | index about, about_pk = id of the item       |

/** The ids of the newest open incidents about an item, at most so many. */
export type OpenIncidentIds = (ciId: string, most: number) => Promise<string[]>;

export function openIncidentIds(client: DynamoDBClient, table: string): OpenIncidentIds {
  return async (ciId, most) => {
    const { Items } = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: 'about',
        KeyConditionExpression: 'about_pk = :ci',
        ExpressionAttributeValues: { ':ci': { S: ciId } },
        ScanIndexForward: false,
        Limit: most,
      }),
    );
    return (Items ?? []).map(({ pk }) => pk!.S!);
  };
}
