// E-mails and text messages that nobody delivers on this machine. They are stored, so that people and tests can read them.
import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock/clock.ts';
import type { Storage } from '../storage/storage.ts';

export interface OutboxMessage {
  id: string;
  kind: 'email' | 'sms';
  at: string;
  from: string | null;
  to: string;
  subject: string | null;
  text: string;
  headers: Readonly<Record<string, string>>;
}

export interface Outbox {
  /** Returns the id of the message once it is durable. */
  add(message: Omit<OutboxMessage, 'id' | 'at'>): Promise<string>;
  /** Lists the newest 1,000 messages, newest first. */
  list(): OutboxMessage[];
}

const maxStored = 1_000;

export function createOutbox({ storage, clock }: { storage: Storage; clock: Clock }): Outbox {
  storage.exec('CREATE TABLE IF NOT EXISTS outbox (sequence INTEGER PRIMARY KEY AUTOINCREMENT, message TEXT NOT NULL)');
  return {
    async add(fields) {
      const message: OutboxMessage = { id: randomUUID(), at: new Date(clock.now()).toISOString(), ...fields };
      const store = () => {
        storage.prepare('INSERT INTO outbox (message) VALUES (?)').run([JSON.stringify(message)]);
        storage.prepare('DELETE FROM outbox WHERE sequence <= (SELECT MAX(sequence) FROM outbox) - ?').run([maxStored]);
      };
      await clock.track(() => storage.write(store));
      return message.id;
    },
    list: () =>
      storage
        .prepare('SELECT message FROM outbox ORDER BY sequence DESC')
        .all([])
        .map((row) => JSON.parse(String(row.message))),
  };
}
