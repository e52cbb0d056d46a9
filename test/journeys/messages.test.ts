import { PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { ListQueuesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { listMessageLog, type MessageRequest } from '../../lambdas/oncall/channels/message.ts';
import type { Item } from '../../lambdas/records/items.ts';
import { becomes } from '../support/becomes.ts';
import { type Api, anIncident, createApi, getApi } from '../support/incidents.ts';
import { aMailServer, type MailServer } from '../support/mail-server.ts';
import { readCode, readOutbox } from '../support/outbox.ts';
import { createPerson, type Person, signIn } from '../support/people.ts';
import { aReceiver, aWebhook } from '../support/receivers.ts';
import { type Service, startService } from '../support/service.ts';
import { createTableClient, findRecordsTable, findTable } from '../support/tables.ts';

// People are reached through a real mail server; text messages go to the outbox.

let service: Service;
let mail: MailServer;
let agent: Api;
beforeAll(async () => {
  mail = await aMailServer();
  service = await startService({ environment: { SMTP_URL: mail.url, MAIL_SENDER: 'incidents@acme.org' } });
});
afterAll(async () => {
  await service?.stop();
  await mail?.stop();
});
// Tokens live for an hour, and some of these tests move the clock by more.
beforeEach(async () => {
  agent = await getApi(service, 'agent');
});
afterEach(() => mail.answer(250));

let number = 0;

async function aPerson(role = 'itsm_agent'): Promise<Person & { api: Api }> {
  const person = await createPerson(service, `ada${++number}@acme.org`, role);
  return { ...person, api: createApi(service, await signIn(service, person)) };
}

const listMails = (to: string) => mail.received.filter((each) => each.to.includes(to));
const countMails = (to: string) => async () => listMails(to).length;
const countTexts = (to: string) => async () => (await readOutbox(service, to)).length;

/** A person with a phone, who is paged by e-mail at once and by SMS after an hour. */
async function aPersonWithPhone(phone: string) {
  const person = await aPerson();
  const { api } = person;
  const { body } = await api.post('/me/contact-methods', { kind: 'sms', address: phone });
  const code = await readCode(service, phone);
  expect((await api.post(`/me/contact-methods/${body.id}/verify`, { code })).status).toBe(200);
  const [account] = (await api.get('/me/contact-methods')).body.contact_methods;
  const steps = [
    { method_id: account.id, after_minutes: 0 },
    { method_id: body.id, after_minutes: 60 },
  ];
  const rules = { pages: steps, notifications: steps, topics: null };
  expect((await api.put('/me/notification-rules', rules)).status).toBe(200);
  return person;
}

/** Puts requests into the queue, as the functions that page do. */
async function request(...requests: readonly Partial<MessageRequest>[]): Promise<void> {
  const client = new SQSClient({ endpoint: service.awsUrl, region: 'us-east-1', credentials: service.awsCredentials });
  const { QueueUrls = [] } = await client.send(new ListQueuesCommand({}));
  const QueueUrl = QueueUrls.find((url) => /MessagesQueue/.test(url));
  for (const one of requests) {
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify({ request: one }) }));
  }
  client.destroy();
}

const aPage = (to: string, fields: Partial<MessageRequest> = {}): Partial<MessageRequest> => ({
  id: `page of ${to}`,
  to,
  urgency: 'page',
  record_id: 'INC7Q2M4KX',
  title: 'Mail is not delivered',
  reason: 'You are on call for mail.',
  ...fields,
});

/** The delivery log of a record, as other functions read it. */
async function readLog(recordId: string) {
  const client = createTableClient(service);
  const TableName = await findTable(client, /Events[0-9A-F]{8}$/);
  const range = async ({ pk }: { pk: string }): Promise<Item[]> => {
    const ExpressionAttributeValues = { ':pk': { S: pk } };
    const input = { TableName, KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues };
    return (await client.send(new QueryCommand(input))).Items ?? [];
  };
  const log = await listMessageLog({ range }, recordId);
  client.destroy();
  return log;
}

async function endPage(pageId: string): Promise<void> {
  const client = createTableClient(service);
  const TableName = await findRecordsTable(client);
  const Item = { pk: { S: pageId }, sk: { S: '#' }, ended_at: { S: '2026-03-01T09:00:00.000Z' } };
  await client.send(new PutItemCommand({ TableName, Item }));
  client.destroy();
}

describe('notifications', () => {
  it('of an assignment arrive as an e-mail that names the record, the reason and the address', async () => {
    const { email } = await aPerson();
    const { body } = await anIncident(agent, { assigned_to: email, priority: 'P2' });
    await becomes(countMails(email), 1);
    const [received] = listMails(email);
    expect(received!.subject).toBe(`${body.id}: Mail is not delivered`);
    expect(received!.text).toContain('agent@clients.incidents.localhost assigned this P2 incident to you.');
    expect(received!.text).toContain(`${service.baseUrl}/console/incidents/${body.id}`);
    expect(received!.headers).toMatch(/^From: incidents@acme\.org\r?$/m);
    expect(received!.headers).toMatch(/^X-Message-Id: msg_/im);
    await becomes(
      async () => (await readLog(body.id)).map(({ channel, outcome, to }) => ({ channel, outcome, to })),
      [{ channel: 'email', outcome: 'sent', to: email }],
    );
  });

  it('of mentions arrive; the author is not notified', async () => {
    const [author, mentioned] = [await aPerson(), await aPerson()];
    const { body } = await anIncident(author.api, { assigned_to: author.email });
    const note = `@${mentioned.email} and @${author.email}, please look.`;
    expect((await author.api.post(`/incidents/${body.id}/notes`, { body: note })).status).toBe(201);
    await becomes(countMails(mentioned.email), 1);
    expect(listMails(mentioned.email)[0]!.text).toContain('mentioned you in a note');
    expect(listMails(author.email)).toEqual([]);
  });

  it('to stakeholders arrive at the followers of the group, except the creator', async () => {
    const [creator, follower, other] = [await aPerson(), await aPerson(), await aPerson()];
    for (const { api } of [creator, follower])
      await api.patch('/notifications/settings', { groups: ['stake holders'] });
    await anIncident(creator.api, { assignment_group: 'stake holders', notify_stakeholders: true });
    await becomes(countMails(follower.email), 1);
    expect(listMails(follower.email)[0]!.text).toContain('new for stake holders, a group that you follow');
    expect([...listMails(creator.email), ...listMails(other.email)]).toEqual([]);
  });

  it('of failed deliveries arrive at the owner of the webhook after the fifth attempt', async () => {
    const owner = await aPerson('itsm_manager');
    const receiver = await aReceiver(500);
    const { id } = await aWebhook(owner.api, receiver, { events: ['incident.created'] });
    await anIncident(agent);
    await receiver.until(1);
    await service.advance('3h', []);
    expect(receiver.received).toHaveLength(5);
    await becomes(countMails(owner.email), 1);
    expect(listMails(owner.email)[0]!.subject).toContain(id);
    await receiver.stop();
    await (await getApi(service, 'admin')).delete(`/webhooks/outbound/${id}`);
  });

  it('are not sent to addresses outside the directory', async () => {
    const { email } = await aPerson();
    await anIncident(agent, { assigned_to: 'stranger@elsewhere.org' });
    await anIncident(agent, { assigned_to: email });
    await becomes(countMails(email), 1);
    expect(listMails('stranger@elsewhere.org')).toEqual([]);
  });

  it('of a topic that is switched off are not sent, and leave no message', async () => {
    const { api, email } = await aPerson();
    await api.patch('/me/preferences', { notifications: { assignments: false } });
    const { body } = await anIncident(agent, { assigned_to: email });
    const last = await aPerson();
    await anIncident(agent, { assigned_to: last.email });
    await becomes(countMails(last.email), 1);
    expect(listMails(email)).toEqual([]);
    expect(await readLog(body.id)).toEqual([]);
  });

  it('do not use the next method once they are read', async () => {
    const [reader, absent] = [await aPersonWithPhone('+4915112340001'), await aPersonWithPhone('+4915112340002')];
    await anIncident(agent, { assigned_to: reader.email });
    await anIncident(agent, { assigned_to: absent.email });
    await becomes(countMails(reader.email), 1);
    await becomes(countMails(absent.email), 1);
    await service.advance('1s', []);
    expect((await reader.api.post('/notifications/read', {})).status).toBe(200);
    await service.advance('61m', []);
    await becomes(countTexts('+4915112340002'), 2);
    expect(await readOutbox(service, '+4915112340001')).toHaveLength(1);
  });
});

describe('pages', () => {
  it('that are requested twice are sent once', async () => {
    const { email } = await aPerson();
    await request(aPage(email), aPage(email), aPage(email, { id: 'another page' }));
    await becomes(countMails(email), 2);
    await service.advance('2m', []);
    expect(listMails(email)).toHaveLength(2);
    expect(listMails(email)[0]!.subject).toBe('Page: INC7Q2M4KX: Mail is not delivered');
  });

  it('are retried when the provider fails, and then use the next method', async () => {
    const { email } = await aPersonWithPhone('+4915112340003');
    mail.answer(451);
    const before = mail.rejections;
    await request(aPage(email, { record_id: 'INC0000001', acknowledge_url: 'https://acme.org/ack' }));
    await becomes(async () => mail.rejections - before, 1);
    await service.advance('45s', []);
    await becomes(countTexts('+4915112340003'), 2);
    expect(mail.rejections - before).toBe(3);
    const listSteps = async () => (await readLog('INC0000001')).map(({ channel, outcome }) => `${channel} ${outcome}`);
    await becomes(listSteps, ['email retrying', 'email retrying', 'email failed', 'sms sent']);
    const log = await readLog('INC0000001');
    expect(log[2]!.error).toContain('sms +49…03 is used instead');
    expect(log[3]).toMatchObject({ to: email, urgency: 'page', provider_message_id: expect.any(String), error: null });
    const [text] = await readOutbox(service, '+4915112340003');
    expect(text!.text).toContain('https://acme.org/ack');
  });

  it('use the next method at once when the provider rejects them', async () => {
    const { email } = await aPersonWithPhone('+4915112340004');
    mail.answer(550);
    await request(aPage(email, { record_id: 'INC0000002' }));
    await becomes(countTexts('+4915112340004'), 2);
    await becomes(async () => (await readLog('INC0000002')).map(({ outcome }) => outcome), ['failed', 'sent']);
  });

  it('that have ended are not sent', async () => {
    const { email } = await aPersonWithPhone('+4915112340005');
    await endPage('page-1');
    await request(aPage(email, { record_id: 'INC0000003', page_id: 'page-1' }));
    await becomes(
      async () => (await readLog('INC0000003')).map(({ outcome, error }) => `${outcome}: ${error}`),
      ['cancelled: the page has ended', 'cancelled: the page has ended'],
    );
    expect(listMails(email)).toEqual([]);
  });

  it('that end between two methods use no further one', async () => {
    const { email } = await aPersonWithPhone('+4915112340006');
    await request(aPage(email, { record_id: 'INC0000004', page_id: 'page-2' }));
    await becomes(countMails(email), 1);
    await endPage('page-2');
    await service.advance('61m', []);
    await becomes(async () => (await readLog('INC0000004')).map(({ outcome }) => outcome), ['sent', 'cancelled']);
    expect(await readOutbox(service, '+4915112340006')).toHaveLength(1);
  });

  it('to nobody in the directory are logged', async () => {
    await request(aPage('nobody@acme.org', { record_id: 'INC0000005' }));
    await becomes(
      async () => (await readLog('INC0000005')).map(({ outcome, error }) => `${outcome}: ${error}`),
      ['unreachable: the person is not in the directory'],
    );
  });

  it('are sent once more, with the same id, when the result could not be stored', async () => {
    const { email } = await aPerson();
    const headers = { 'content-type': 'application/json' };
    // The plan and the claim are stored; the result is not, however often the SDK tries.
    const fault = { service: 'dynamodb', operation: 'PutItem', caller: 'incidents-local--send-messages' };
    const body = JSON.stringify({ ...fault, error: 'InternalServerError', after: 2, times: 3 });
    await fetch(`${service.baseUrl}/_local/faults`, { method: 'POST', headers, body });
    await request(aPage(email, { record_id: 'INC0000007' }));
    await becomes(countMails(email), 1);
    await service.advance('4m', []);
    await becomes(countMails(email), 2);
    const ids = listMails(email).map((each) => /^X-Message-Id: (\S+)/im.exec(each.headers)?.[1]);
    expect(new Set(ids).size).toBe(1);
    await becomes(async () => (await readLog('INC0000007')).map(({ outcome }) => outcome), ['sent']);
    await service.advance('10m', []);
    expect(listMails(email)).toHaveLength(2);
  });

  it('survive a crash while they wait', async () => {
    const { email } = await aPersonWithPhone('+4915112340007');
    await request(aPage(email, { record_id: 'INC0000006' }));
    await becomes(async () => (await readLog('INC0000006')).length, 1);
    await service.kill();
    const { dataFolder } = service;
    service = await startService({
      dataFolder,
      environment: { SMTP_URL: mail.url, MAIL_SENDER: 'incidents@acme.org' },
    });
    await service.advance('61m', []);
    await becomes(countTexts('+4915112340007'), 2);
    expect(listMails(email)).toHaveLength(1);
  });
});
