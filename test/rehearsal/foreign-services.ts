// The services besides DynamoDB that moto runs well enough for the functions. Each resource is created when a function first
// names it. moto has every member of the local response, except ids and times that each implementation chooses itself.
import { type AwsHttpResponse, operator } from '../../local/aws/service.ts';
import type { ForeignResponse, ForeignService, Ids, Tools } from './foreign-aws.ts';
import { membersWithoutMoto } from './known-gaps.ts';

// biome-ignore lint/suspicious/noExplicitAny: responses of AWS
type Json = any;

export function createForeignServices(): Readonly<Record<string, ForeignService>> {
  return {
    'cognito-idp': {
      operations: /UserPoolClients?$|^AdminGetUser$|^AdminListGroupsForUser$|^List(?:Groups|Users|UsersInGroup)$/,
      prepare: eachOnce(({ UserPoolId }) => UserPoolId, copyPool),
      compare: (own, theirs, ids) => compareJson(own, theirs, ids, ['ClientId', 'ClientSecret']),
    },
    apigateway: {
      operations: /^(?:POST|GET|DELETE) \/(?:apikeys|usageplans)/,
      prepare: eachOnce(() => 'plans', copyUsagePlans),
      compare: (own, theirs, ids) => compareJson(own, theirs, ids, ['id']),
    },
    kms: {
      operations: /^(?:Encrypt|Decrypt)$/,
      prepare: eachOnce(
        ({ KeyId }) => KeyId,
        async (id, { call, ids }) => {
          const { KeyMetadata } = (await call('TrentService.CreateKey', {})) as Json;
          ids.add(id.slice(id.lastIndexOf('/') + 1), KeyMetadata.KeyId);
        },
      ),
      compare: (own, theirs, ids) => compareJson(own, theirs, ids, ['CiphertextBlob']),
    },
    // Event source mappings receive and delete the messages of the local queues.
    sqs: {
      operations: /^SendMessage(?:Batch)?$/,
      prepare: eachOnce(
        ({ QueueUrl }) => QueueUrl,
        async (url, { call }) => {
          await call('AmazonSQS.CreateQueue', { QueueName: url.slice(url.lastIndexOf('/') + 1) });
        },
      ),
      compare: (own, theirs, ids) => compareJson(own, theirs, ids),
    },
    // moto starts executions without running them; the local runtime runs them.
    states: {
      operations: /^StartExecution$/,
      prepare: eachOnce(
        ({ stateMachineArn }) => stateMachineArn,
        async (arn, { call, own }) => {
          const { name, definition, roleArn } = await callOwn(own, 'DescribeStateMachine', { stateMachineArn: arn });
          await call('AWSStepFunctions.CreateStateMachine', { name, definition, roleArn });
        },
      ),
      compare: (own, theirs, ids) => compareJson(own, theirs, ids),
    },
    sns: {
      operations: /^Publish$/,
      prepare: eachOnce(
        ({ TopicArn }) => TopicArn,
        async (arn, { call }) => {
          await call('CreateTopic', new URLSearchParams({ Name: arn.slice(arn.lastIndexOf(':') + 1) }));
        },
      ),
      compare: compareXml,
    },
    s3: {
      operations: /^(?:GET|PUT|DELETE|HEAD) \//,
      prepare: eachOnce(
        (_input, path) => path.split('/')[1],
        async (bucket, { call }) => {
          await call(`PUT /${bucket}`);
        },
      ),
      compare: compareXml,
    },
  };
}

/** Runs the work before the first call that names a resource. */
function eachOnce(
  findName: (input: Json, path: string) => string | undefined,
  work: (name: string, tools: Tools) => Promise<void>,
): NonNullable<ForeignService['prepare']> {
  const done = new Map<string, Promise<void>>();
  return async ({ path, body, headers }, tools) => {
    const text = body.toString();
    const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
    const input = isForm ? Object.fromEntries(new URLSearchParams(text)) : text.startsWith('{') ? JSON.parse(text) : {};
    const name = findName(input, path);
    if (name === undefined) return;
    const running = done.get(name) ?? work(name, tools);
    done.set(name, running);
    await running;
  };
}

async function callOwn(own: Tools['own'], operation: string, input: object): Promise<Json> {
  return own.call?.(operation, input, () => {}, operator);
}

async function copyPool(UserPoolId: string, { call, own, ids }: Tools): Promise<void> {
  const target = (operation: string) => `AWSCognitoIdentityProviderService.${operation}`;
  const { UserPool } = (await call(target('CreateUserPool'), {
    PoolName: UserPoolId,
    UsernameAttributes: ['email'],
  })) as Json;
  ids.add(UserPoolId, UserPool.Id);
  const { Groups } = await callOwn(own, 'ListGroups', { UserPoolId });
  for (const { GroupName, Description, Precedence } of Groups)
    await call(target('CreateGroup'), { UserPoolId: UserPool.Id, GroupName, Description, Precedence });
  const { UserPoolClients } = await callOwn(own, 'ListUserPoolClients', { UserPoolId, MaxResults: 60 });
  for (const { ClientId } of UserPoolClients) {
    const { UserPoolClient } = await callOwn(own, 'DescribeUserPoolClient', { UserPoolId, ClientId });
    const { ClientId: _id, ClientSecret, CreationDate: _created, LastModifiedDate: _at, ...settings } = UserPoolClient;
    const input = { ...settings, UserPoolId: UserPool.Id, GenerateSecret: ClientSecret !== undefined };
    const created = ((await call(target('CreateUserPoolClient'), input)) as Json).UserPoolClient;
    ids.add(ClientId, created.ClientId);
    ids.add(ClientSecret, created.ClientSecret);
  }
  const { Users } = await callOwn(own, 'ListUsers', { UserPoolId });
  for (const { Username, Attributes } of Users) {
    const UserAttributes = Attributes.filter(({ Name }: Json) => Name !== 'sub');
    const email = UserAttributes.find(({ Name }: Json) => Name === 'email').Value;
    const user = { UserPoolId: UserPool.Id, Username: email };
    const { User } = (await call(target('AdminCreateUser'), { ...user, UserAttributes })) as Json;
    ids.add(Username, User.Username);
    await call(target('AdminSetUserPassword'), { ...user, Password: 'Rehearsal-1!', Permanent: true });
    const { Groups: joined } = await callOwn(own, 'AdminListGroupsForUser', { UserPoolId, Username });
    for (const { GroupName } of joined) await call(target('AdminAddUserToGroup'), { ...user, GroupName });
  }
}

async function copyUsagePlans(_name: string, { call, own, ids }: Tools): Promise<void> {
  const request = { method: 'GET', path: '/usageplans', query: new URLSearchParams(), headers: {}, body: '' };
  const response = await own.handle(request, () => {}, operator);
  for (const { id, name, throttle, apiStages } of JSON.parse(response.body.toString()).item)
    ids.add(id, (await call('POST /usageplans', { name, throttle, apiStages })).id);
}

const chosenByEach = /Date$|^MessageId$|^SequenceNumber$/;

/** Members of the local response that moto lacks or that differ. New ids of both sides become a pair. */
function compareJson(
  own: AwsHttpResponse,
  theirs: ForeignResponse,
  ids: Ids,
  newIds: readonly string[] = [],
): string | undefined {
  const [mine, other] = [own.body.toString(), theirs.body.toString()].map((text) => JSON.parse(text || '{}'));
  const codes = [own, theirs].map(({ status, headers }, side) => readCode(status, headers, side === 0 ? mine : other));
  if (codes[0] !== codes[1]) return `${codes[0]} here, ${codes[1]} there ${theirs.body.toString().slice(0, 300)}`;
  if (own.status >= 400) return undefined;
  const find = (a: Json, b: Json, path: string, learns: boolean): string | undefined => {
    if (Array.isArray(a)) {
      const missing = a.find((each) => !(b ?? []).some((item: Json) => find(each, item, path, false) === undefined));
      return missing === undefined ? undefined : `${path}: ${JSON.stringify(missing)} is not in ${JSON.stringify(b)}`;
    }
    if (typeof a !== 'object' || a === null)
      return a === b || (typeof b === 'string' && ids.toTheirs(String(a)) === b)
        ? undefined
        : `${path}: ${JSON.stringify(a)} here, ${JSON.stringify(b)} there`;
    for (const [name, value] of Object.entries(a)) {
      if (chosenByEach.test(name) || membersWithoutMoto.has(name)) continue;
      if (learns && newIds.includes(name) && !ids.has(String(value))) ids.add(value, b?.[name]);
      const difference = find(value, b?.[name], `${path}.${name}`, learns);
      if (difference !== undefined) return difference;
    }
    return undefined;
  };
  return find(mine, other, '', true);
}

function readCode(status: number, headers: Record<string, string>, body: Json): string {
  if (status < 400) return 'success';
  return String(headers['x-amzn-errortype'] ?? body.__type).replace(/^.*#|:.*$/g, '');
}

/** Objects have the same bytes; lists the same keys; errors the same code. */
function compareXml(own: AwsHttpResponse, theirs: ForeignResponse): string | undefined {
  const [mine, other] = [own, theirs].map(({ status, headers, body }) => {
    const text = body.toString('latin1' as never);
    if (status >= 300) return `${status} ${/<Code>(\w+)/.exec(text)?.[1] ?? ''}`;
    if (text.includes('<ListBucketResult')) return [...text.matchAll(/<Key>([^<]*)/g)].map(([, key]) => key).join(' ');
    return text.includes('<PublishResponse') ? 'published' : `${headers.etag ?? ''} ${text}`;
  });
  return mine === other ? undefined : `${mine?.slice(0, 300)} here, ${other?.slice(0, 300)} there`;
}
