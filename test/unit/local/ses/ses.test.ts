import { MessageRejected, SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { createOutbox, type Outbox } from '../../../../local/ses/outbox.ts';
import { createSes, type MailTransport } from '../../../../local/ses/ses.ts';
import { aTestRuntime, credentials, overHttp, type TestRuntime } from '../test-runtime.ts';

let runtime: TestRuntime;
let outbox: Outbox;
beforeEach(() => {
  runtime = aTestRuntime();
  outbox = createOutbox(runtime);
});
afterEach(() => runtime.end());

const input = {
  FromEmailAddress: 'incidents@acme.org',
  Destination: { ToAddresses: ['ada@acme.org'] },
  Content: {
    Simple: {
      Subject: { Data: 'Grüße' },
      Body: { Text: { Data: 'Text' }, Html: { Data: '<p>Text</p>' } },
      Headers: [{ Name: 'X-Message-Id', Value: 'msg_1' }],
    },
  },
};

function send(changes: object = {}, transport?: MailTransport) {
  const { service } = createSes({ ...runtime, outbox, transport });
  return overHttp(service, async (endpoint) => {
    const client = new SESv2Client({ endpoint, region: 'eu-west-1', credentials, maxAttempts: 1 });
    try {
      return await client.send(new SendEmailCommand({ ...input, ...changes }));
    } finally {
      client.destroy();
    }
  });
}

describe('SendEmail', () => {
  it('puts an e-mail into the outbox and returns its id', async () => {
    const { MessageId } = await send();
    expect(outbox.list()).toEqual([
      {
        id: MessageId,
        kind: 'email',
        at: expect.any(String),
        from: 'incidents@acme.org',
        to: 'ada@acme.org',
        subject: 'Grüße',
        text: 'Text',
        headers: { 'X-Message-Id': 'msg_1' },
      },
    ]);
  });

  it('gives it to a mail server, if there is one', async () => {
    const given: unknown[] = [];
    const { MessageId } = await send({}, async (mail) => {
      given.push(mail);
      return 'from the server';
    });
    expect(MessageId).toBe('from the server');
    expect(given).toMatchObject([{ to: 'ada@acme.org', html: '<p>Text</p>' }]);
    expect(outbox.list()).toEqual([]);
  });

  it('rejects what the mail server rejects for good; other failures may pass', async () => {
    const fail = (responseCode: number) => () => Promise.reject(Object.assign(new Error('no'), { responseCode }));
    await expect(send({}, fail(550))).rejects.toThrow(MessageRejected);
    await expect(send({}, fail(451))).rejects.toMatchObject({ $metadata: { httpStatusCode: 500 } });
    await expect(send({}, fail(0))).rejects.toMatchObject({ $metadata: { httpStatusCode: 500 } });
  });

  it.each([
    ['several recipients', { Destination: { ToAddresses: ['a@acme.org', 'b@acme.org'] } }],
    ['copies', { Destination: { ToAddresses: ['a@acme.org'], BccAddresses: ['b@acme.org'] } }],
    ['a wrong sender', { FromEmailAddress: 'nobody' }],
    ['raw content', { Content: { Raw: { Data: Buffer.from('x') } } }],
    ['a configuration set', { ConfigurationSetName: 'x' }],
  ])('rejects %s', async (_what, changes) => {
    await expect(send(changes)).rejects.toMatchObject({ name: 'BadRequestException' });
    expect(outbox.list()).toEqual([]);
  });

  it('needs a permission on the identity of the sender', async () => {
    const { service } = createSes({ ...runtime, outbox });
    const asked: unknown[] = [];
    const body = JSON.stringify(input);
    const request = {
      method: 'POST',
      path: '/v2/email/outbound-emails',
      query: new URLSearchParams(),
      headers: {},
      body,
    };
    await service.handle(request, (accesses) => void asked.push(...accesses));
    expect(asked).toEqual([
      {
        action: 'ses:SendEmail',
        resource: expect.stringMatching(/^arn:aws:ses:[\w-]+:\d+:identity\/incidents@acme\.org$/),
        context: { 'ses:FromAddress': 'incidents@acme.org' },
      },
    ]);
  });
});
