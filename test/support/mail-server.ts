// A mail server that records what it receives and responds as told.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  to: string[];
  subject: string;
  headers: string;
  /** All parts, decoded. */
  text: string;
}

export interface MailServer {
  url: string;
  received: ReceivedMail[];
  /** The response code to all mails from now on; 250 accepts them. */
  answer(code: number): void;
  /** How often it rejected a mail. */
  readonly rejections: number;
  stop(): Promise<void>;
}

export async function aMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  let code = 250;
  let rejections = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      void text(stream).then((raw) => {
        if (code !== 250) {
          rejections += 1;
          done(Object.assign(new Error('not now'), { responseCode: code }));
          return;
        }
        received.push(
          parseMail(
            raw,
            session.envelope.rcptTo.map(({ address }) => address),
          ),
        );
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    answer: (next) => {
      code = next;
    },
    get rejections() {
      return rejections;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function parseMail(raw: string, to: string[]): ReceivedMail {
  const decoded = raw
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const [headers = ''] = decoded.replace(/\r\n[ \t]+/g, ' ').split('\r\n\r\n');
  return { to, headers, subject: /^Subject: (.*)$/m.exec(headers)?.[1] ?? '', text: decoded };
}
