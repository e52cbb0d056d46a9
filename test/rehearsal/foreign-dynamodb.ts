// Runs every call of the functions on another implementation of DynamoDB, too. The functions get its responses; the local
// tables get the same writes, because their streams start the functions behind them. A different response is a finding.
import { isDeepStrictEqual } from 'node:util';
import type { AwsHttpResponse, AwsService } from '../../local/aws/service.ts';
import { operator } from '../../local/aws/service.ts';

export interface Difference {
  caller: string;
  operation: string;
  detail: string;
}

export interface ForeignDynamoDb {
  wrapService(service: AwsService): AwsService;
  /** Calls that the policy of the function allowed. */
  calls: number;
  /** Calls that the policy of the function denied. */
  denied: string[];
  differences: Difference[];
}

const scope = 'Credential=test/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0';

export function createForeignDynamoDb(url: string): ForeignDynamoDb {
  const tables = new Map<string, Promise<void>>();
  const send = async (target: string, body: string) => {
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': target,
      authorization: `AWS4-HMAC-SHA256 ${scope}`,
    };
    const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(30_000) });
    return { status: response.status, body: await response.text() };
  };
  /** One call at a time, so that both implementations get the same order. */
  let last: Promise<unknown> = Promise.resolve();
  const inOrder = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const next = last.then(work);
    last = next.catch(() => {});
    return next;
  };

  const foreign: ForeignDynamoDb = {
    calls: 0,
    denied: [],
    differences: [],
    wrapService(service) {
      const { call } = service;
      if (service.signingName !== 'dynamodb' || !call) return service;
      const createTable = async (name: string) => {
        const describe = call('DescribeTable', { TableName: name }, () => {}, operator);
        const { Table } = (await describe.catch(() => ({}))) as { Table?: Record<string, unknown> };
        if (Table) await send('DynamoDB_20120810.CreateTable', JSON.stringify(toCreation(Table)));
      };
      const ensureTables = (body: string) =>
        Promise.all(
          findTableNames(JSON.parse(body)).map((name) => {
            const creation = tables.get(name) ?? createTable(name);
            tables.set(name, creation);
            return creation;
          }),
        );
      const handle: AwsService['handle'] = (request, authorize, caller = operator) =>
        inOrder(async () => {
          const target = request.headers['x-amz-target'] ?? '';
          const operation = target.slice(target.indexOf('.') + 1);
          const body = request.body.toString();
          await ensureTables(body);
          const own = await service.handle(request, authorize, caller);
          if (own.body.toString().includes('AccessDeniedException')) {
            foreign.denied.push(`${caller.name} ${operation}`);
            return own;
          }
          foreign.calls++;
          const theirs = await send(target, body);
          const detail = compare(own, theirs);
          if (detail === undefined) return { ...own, body: theirs.body };
          foreign.differences.push({ caller: caller.name, operation, detail: `${detail} for ${body.slice(0, 500)}` });
          return own;
        });
      return { ...service, handle };
    },
  };
  return foreign;
}

function findTableNames(input: Record<string, unknown>): string[] {
  const {
    TableName,
    RequestItems = {},
    TransactItems = [],
  } = input as {
    TableName?: string;
    RequestItems?: object;
    TransactItems?: readonly Record<string, { TableName: string }>[];
  };
  const inItems = TransactItems.flatMap((item) => Object.values(item).map((each) => each.TableName));
  return [...new Set([...(TableName ? [TableName] : []), ...Object.keys(RequestItems), ...inItems])];
}

function toCreation(table: Record<string, unknown>): object {
  const { TableName, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes } = table;
  const indexes = (GlobalSecondaryIndexes ?? []) as readonly Record<string, unknown>[];
  return {
    TableName,
    AttributeDefinitions,
    KeySchema,
    BillingMode: 'PAY_PER_REQUEST',
    ...(indexes.length > 0 && {
      GlobalSecondaryIndexes: indexes.map(({ IndexName, KeySchema: keys, Projection }) => ({
        IndexName,
        KeySchema: keys,
        Projection,
      })),
    }),
  };
}

/** Says how the responses differ; undefined if they do not. */
function compare(own: AwsHttpResponse, theirs: { status: number; body: string }): string | undefined {
  const [mine, other] = [JSON.parse(own.body.toString() || '{}'), JSON.parse(theirs.body || '{}')];
  if (own.status !== theirs.status || own.status !== 200) {
    const names = [mine, other].map(({ __type = 'success' }) => String(__type).replace(/.*#/, ''));
    if (names[0] === names[1]) return undefined;
    return `${names[0]} here, ${names[1]} there (${String(other.message ?? other.Message).slice(0, 200)})`;
  }
  const [a, b] = [mine, other].map(normalize);
  return isDeepStrictEqual(a, b)
    ? undefined
    : `${JSON.stringify(a).slice(0, 300)} here, ${JSON.stringify(b).slice(0, 300)} there`;
}

/** Without capacity, which implementations count differently. Items with the same key of an index have no order. */
function normalize({ ConsumedCapacity, ItemCollectionMetrics, ...output }: Record<string, unknown>): unknown {
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .sort()
        .map(([name, each]) => [name, sorted(each)]),
    );
  };
  return sorted(output);
}
