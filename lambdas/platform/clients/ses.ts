import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { clientDefaults, createSharedClient } from './shared-client.ts';

/** One attempt: the sender logs every attempt and schedules the next one. A mail server may take longer than a table. */
const sesClient = createSharedClient(
  () =>
    new SESv2Client({
      ...clientDefaults,
      maxAttempts: 1,
      requestHandler: { ...clientDefaults.requestHandler, requestTimeout: 10_000 },
    }),
);

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  headers: Readonly<Record<string, string>>;
}

/** Returns SES's id of the message. */
export function createMailSender(sender: string): (mail: Mail) => Promise<string> {
  const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });
  return async ({ to, subject, text, html, headers }) => {
    const { MessageId = '' } = await sesClient().send(
      new SendEmailCommand({
        FromEmailAddress: sender,
        Destination: { ToAddresses: [to] },
        Content: {
          Simple: {
            Subject: utf8(subject),
            Body: { Text: utf8(text), Html: utf8(html) },
            Headers: Object.entries(headers).map(([Name, Value]) => ({ Name, Value })),
          },
        },
      }),
    );
    return MessageId;
  };
}
