import type { MailTransport } from './ses.ts';

const timeoutMs = 8_000;

/** Sends e-mails through a mail server, such as smtps://user:password@mail.acme.org. */
export function createSmtpTransport(url: string): MailTransport {
  let connected: Promise<Mailer> | undefined;
  return async (mail) => {
    // Loaded on first use, because most machines have no mail server.
    connected ??= connect(url);
    const { messageId } = await (await connected).sendMail(mail);
    return messageId;
  };
}

interface Mailer {
  sendMail(mail: object): Promise<{ messageId: string }>;
}

async function connect(url: string): Promise<Mailer> {
  const { createTransport } = await import('nodemailer');
  const timeouts = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
  return createTransport({ url, ...timeouts });
}
