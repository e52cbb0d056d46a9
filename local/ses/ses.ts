// SES v2: SendEmail with simple content to one recipient. Every sender counts as verified. Without a mail server, e-mails go
// to the outbox.
import { AwsError } from '../aws/error.ts';
import { toJsonError } from '../aws/error-response.ts';
import { type AwsHttpRequest, type AwsService, type Input, parseInput } from '../aws/service.ts';
import type { StackEnvironment } from '../template/resource-type.ts';
import type { Outbox } from './outbox.ts';

export interface Mail {
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string | undefined;
  headers: Readonly<Record<string, string>>;
}

/** Hands an e-mail to a mail server and returns its id. */
export type MailTransport = (mail: Mail) => Promise<string>;

export interface SesOptions {
  environment: StackEnvironment;
  outbox: Outbox;
  transport?: MailTransport | undefined;
}

export function createSes({ environment, outbox, transport }: SesOptions): { readonly service: AwsService } {
  const { region, accountId } = environment;
  const handle: AwsService['handle'] = async (request, authorize) => {
    if (request.method !== 'POST' || request.path !== '/v2/email/outbound-emails') throw unsupported(request);
    const mail = parseMail(parseInput(request.body));
    // Every address is an identity of its own, because nobody verifies domains here.
    const resource = `arn:aws:ses:${region}:${accountId}:identity/${mail.from}`;
    authorize([{ action: 'ses:SendEmail', resource, context: { 'ses:FromAddress': mail.from } }]);
    const MessageId = transport ? await send(mail, transport) : await store(mail, outbox);
    return { status: 200, headers: { 'content-type': contentType }, body: JSON.stringify({ MessageId }) };
  };
  return {
    service: {
      signingName: 'ses',
      async handle(request, authorize) {
        try {
          return await handle(request, authorize);
        } catch (error) {
          if (!(error instanceof AwsError)) throw error;
          return toJsonError(error, contentType);
        }
      },
    },
  };
}

const contentType = 'application/json';

function store({ html: _, ...mail }: Mail, outbox: Outbox): Promise<string> {
  return outbox.add({ kind: 'email', ...mail });
}

/** A mail server that rejects the message for good is like SES rejecting it; other failures may pass. */
async function send(mail: Mail, transport: MailTransport): Promise<string> {
  try {
    return await transport(mail);
  } catch (error) {
    const { responseCode = 0, message } = error as { responseCode?: number; message: string };
    if (responseCode >= 500) throw new AwsError('MessageRejected', message, { status: 400 });
    throw new AwsError('InternalServiceErrorException', message, { status: 500 });
  }
}

function parseMail(input: Input): Mail {
  const { FromEmailAddress: from, Destination, Content, ...other } = input;
  const { ToAddresses: recipients = [], ...copies } = Destination ?? {};
  const { Simple, ...otherContent } = Content ?? {};
  const ignored = Object.keys({ ...other, ...copies, ...otherContent });
  if (ignored.length > 0) throw badRequest(`The local runtime does not support ${ignored.join(', ')}.`);
  const [to, ...more] = recipients;
  if (typeof from !== 'string' || !isAddress(from)) throw badRequest('FromEmailAddress is not an address.');
  if (typeof to !== 'string' || !isAddress(to) || more.length > 0) {
    throw badRequest('The local runtime sends to one address.');
  }
  const { Subject, Body, Headers = [] } = Simple ?? {};
  if (typeof Subject?.Data !== 'string' || typeof Body?.Text?.Data !== 'string') {
    throw badRequest('The message needs a subject and a text.');
  }
  const headers = Object.fromEntries(
    Headers.map(({ Name, Value }: { Name: string; Value: string }) => [String(Name), String(Value)]),
  );
  return { from, to, subject: Subject.Data, text: Body.Text.Data, html: Body.Html?.Data, headers };
}

function isAddress(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text);
}

function badRequest(message: string): AwsError {
  return new AwsError('BadRequestException', message, { status: 400 });
}

function unsupported({ method, path }: AwsHttpRequest): AwsError {
  return new AwsError('UnknownOperationException', `The local runtime does not implement ses:${method} ${path}.`, {
    status: 404,
  });
}
