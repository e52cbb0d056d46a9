// What was sent to people: without a mail server, e-mails and text messages go to the outbox.
import type { OutboxMessage } from '../../local/ses/outbox.ts';
import type { Service } from './service.ts';

/** The messages to an address, newest first. */
export async function readOutbox(service: Pick<Service, 'baseUrl'>, to: string): Promise<OutboxMessage[]> {
  const response = await fetch(`${service.baseUrl}/_local/outbox`);
  const { data } = (await response.json()) as { data: OutboxMessage[] };
  return data.filter((message) => message.to === to);
}

/** The code in the newest message to an address. */
export async function readCode(service: Service, to: string): Promise<string> {
  const [message] = await readOutbox(service, to);
  return /Your code is (\d{6})/.exec(message?.text ?? '')?.[1] ?? '';
}
