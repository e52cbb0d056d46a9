// The messages of all queues, in one table. Access patterns:
//   take the longest visible messages of a queue   sqs_messages_visible (queue, visible_ms, sequence)
//   find when the next message becomes visible     sqs_messages_wake (visible_ms)
//   delete messages older than the retention       sqs_messages_age (queue, sent_ms)
//   delete or hide by receipt                      sqs_messages_id (id)
import { createHash, randomUUID } from 'node:crypto';
import type { Row, Storage } from '../storage/storage.ts';
import { sqsError } from './error.ts';
import type { Queue } from './queues.ts';

export interface NewMessage {
  body: string;
  senderId: string;
  delaySeconds: number;
}

export interface ReceivedMessage {
  id: string;
  receiptHandle: string;
  body: string;
  bodyDigest: string;
  systemAttributes: Record<string, string>;
}

/** Identifies one delivery of a message. */
export interface Receipt {
  messageId: string;
  nonce: string;
}

/** Methods that change rows must run inside storage.write(). */
export class MessageStore {
  private readonly storage: Storage;

  constructor(storage: Storage) {
    storage.exec(schema);
    this.storage = storage;
  }

  add(queue: Queue, { body, senderId, delaySeconds }: NewMessage, nowMs: number): string {
    const id = randomUUID();
    this.storage
      .prepare(
        `INSERT INTO sqs_messages (id, queue, body, attributes, system_attributes, sender, sent_ms, visible_ms)
         VALUES (?, ?, ?, '{}', '{}', ?, ?, ?)`,
      )
      .run([id, queue.arn, body, senderId, nowMs, nowMs + delaySeconds * 1000]);
    return id;
  }

  /** Moves messages that reached maxReceiveCount to the dead-letter queue instead of returning them. */
  receive(queue: Queue, max: number, hideSeconds: number, nowMs: number) {
    const received: ReceivedMessage[] = [];
    const deadLetterQueues = new Set<string>();
    const redrive = queue.settings.RedrivePolicy;
    this.storage
      .prepare('DELETE FROM sqs_messages WHERE queue = ? AND sent_ms <= ?')
      .run([queue.arn, computeExpiryMs(queue, nowMs)]);
    const next = this.storage.prepare(
      'SELECT * FROM sqs_messages WHERE queue = ? AND visible_ms <= ? ORDER BY visible_ms, sequence LIMIT ?',
    );
    // Each round returns or moves every row that it reads, so the rounds end.
    for (let rows = next.all([queue.arn, nowMs, max]); rows.length > 0 && received.length < max; ) {
      for (const row of rows) {
        if (redrive && Number(row.receive_count) >= redrive.maxReceiveCount) {
          this.moveToDeadLetterQueue(row, queue, redrive.deadLetterTargetArn, nowMs);
          deadLetterQueues.add(redrive.deadLetterTargetArn);
        } else {
          received.push(this.markReceived(row, queue, hideSeconds, nowMs));
        }
      }
      // With a visibility timeout of zero a message stays visible and must not be read twice in one call.
      if (hideSeconds === 0 && received.length > 0) break;
      rows = received.length < max ? next.all([queue.arn, nowMs, max - received.length]) : [];
    }
    return { received, deadLetterQueues };
  }

  /** Has no effect if the receipt is not the latest or the message no longer exists. */
  delete(queue: Queue, { messageId, nonce }: Receipt): void {
    this.storage
      .prepare('DELETE FROM sqs_messages WHERE id = ? AND queue = ? AND receipt = ?')
      .run([messageId, queue.arn, nonce]);
  }

  /** Returns whether the message is in flight under this receipt. */
  hide(queue: Queue, { messageId, nonce }: Receipt, untilMs: number, nowMs: number): boolean {
    const { changes } = this.storage
      .prepare('UPDATE sqs_messages SET visible_ms = ? WHERE id = ? AND queue = ? AND receipt = ? AND visible_ms > ?')
      .run([untilMs, messageId, queue.arn, nonce, nowMs]);
    return changes > 0;
  }

  purge(queue: Queue): void {
    this.storage.prepare('DELETE FROM sqs_messages WHERE queue = ?').run([queue.arn]);
  }

  /** A moved message gets a new id and age. Returns each target queue and the number of messages without a source queue. */
  move(source: Queue, destination: Queue | undefined, nowMs: number): { moved: string[]; remaining: number } {
    const rows = this.storage
      .prepare('SELECT sequence, source FROM sqs_messages WHERE queue = ? AND visible_ms <= ? ORDER BY sequence')
      .all([source.arn, nowMs]);
    const update = this.storage.prepare(
      `UPDATE sqs_messages SET queue = ?, source = NULL, id = ?, sent_ms = ?, visible_ms = ?, first_received_ms = NULL,
         receive_count = 0, receipt = NULL WHERE sequence = ?`,
    );
    const moved: string[] = [];
    for (const row of rows) {
      const target = destination?.arn ?? row.source;
      if (!target) continue;
      update.run([String(target), randomUUID(), nowMs, nowMs, row.sequence]);
      moved.push(String(target));
    }
    return { moved, remaining: rows.length - moved.length };
  }

  hasVisible(queue: Queue, nowMs: number): boolean {
    const row = this.storage
      .prepare('SELECT 1 FROM sqs_messages WHERE queue = ? AND visible_ms <= ? AND sent_ms > ? LIMIT 1')
      .get([queue.arn, nowMs, computeExpiryMs(queue, nowMs)]);
    return row !== undefined;
  }

  count(queue: Queue, nowMs: number): { visible: number; inFlight: number; delayed: number } {
    const row = this.storage
      .prepare(
        `SELECT COALESCE(SUM(visible_ms <= ?), 0) AS visible,
                COALESCE(SUM(visible_ms > ? AND receipt IS NOT NULL), 0) AS in_flight,
                COALESCE(SUM(visible_ms > ? AND receipt IS NULL), 0) AS delayed
         FROM sqs_messages WHERE queue = ? AND sent_ms > ?`,
      )
      .get([nowMs, nowMs, nowMs, queue.arn, computeExpiryMs(queue, nowMs)]);
    return { visible: Number(row?.visible), inFlight: Number(row?.in_flight), delayed: Number(row?.delayed) };
  }

  findNextVisibleMs(afterMs: number): number | undefined {
    const next = this.storage
      .prepare('SELECT MIN(visible_ms) AS next FROM sqs_messages WHERE visible_ms > ?')
      .get([afterMs])?.next;
    return typeof next === 'number' ? next : undefined;
  }

  /** Lists the ARNs of queues in which a message became visible in this period. */
  listQueuesWithNewlyVisible(afterMs: number, untilMs: number): string[] {
    return this.storage
      .prepare('SELECT DISTINCT queue FROM sqs_messages WHERE visible_ms > ? AND visible_ms <= ?')
      .all([afterMs, untilMs])
      .map((row) => String(row.queue));
  }

  private moveToDeadLetterQueue(row: Row, queue: Queue, deadLetterArn: string, nowMs: number): void {
    this.storage
      .prepare('UPDATE sqs_messages SET queue = ?, source = ?, receipt = NULL, visible_ms = ? WHERE sequence = ?')
      .run([deadLetterArn, queue.arn, nowMs, row.sequence]);
  }

  private markReceived(row: Row, queue: Queue, hideSeconds: number, nowMs: number): ReceivedMessage {
    const [id, body, nonce] = [String(row.id), String(row.body), randomUUID()];
    const firstReceivedMs = Number(row.first_received_ms ?? nowMs);
    const receiveCount = Number(row.receive_count) + 1;
    this.storage
      .prepare(
        `UPDATE sqs_messages SET receive_count = ?, first_received_ms = ?, receipt = ?, visible_ms = ?
         WHERE sequence = ?`,
      )
      .run([receiveCount, firstReceivedMs, nonce, nowMs + hideSeconds * 1000, row.sequence]);
    return {
      id,
      receiptHandle: Buffer.from(`${queue.name} ${id} ${nonce}`).toString('base64'),
      body,
      bodyDigest: computeBodyDigest(body),
      systemAttributes: {
        SenderId: String(row.sender),
        ApproximateFirstReceiveTimestamp: String(firstReceivedMs),
        ApproximateReceiveCount: String(receiveCount),
        SentTimestamp: String(row.sent_ms),
        ...(row.source ? { DeadLetterQueueSourceArn: String(row.source) } : {}),
      },
    };
  }
}

export function computeBodyDigest(body: string): string {
  return createHash('md5').update(body).digest('hex');
}

/** A receipt handle contains the name of the queue, the id of the message and the nonce of one delivery. */
export function parseReceipt(handle: unknown, queue: Queue): Receipt {
  const parts = Buffer.from(String(handle), 'base64').toString('utf8').split(' ');
  const [name, messageId, nonce] = parts;
  if (parts.length !== 3 || name !== queue.name || !messageId || !nonce) {
    throw sqsError('ReceiptHandleIsInvalid', `The input receipt handle "${handle}" is not a valid receipt handle.`);
  }
  return { messageId, nonce };
}

const schema = `
  CREATE TABLE IF NOT EXISTS sqs_messages (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL,
    queue TEXT NOT NULL,
    body TEXT NOT NULL,
    attributes TEXT NOT NULL,
    system_attributes TEXT NOT NULL,
    sender TEXT NOT NULL,
    sent_ms INTEGER NOT NULL,
    visible_ms INTEGER NOT NULL,
    first_received_ms INTEGER,
    receive_count INTEGER NOT NULL DEFAULT 0,
    receipt TEXT,
    source TEXT
  );
  CREATE INDEX IF NOT EXISTS sqs_messages_visible ON sqs_messages (queue, visible_ms, sequence);
  CREATE INDEX IF NOT EXISTS sqs_messages_wake ON sqs_messages (visible_ms);
  CREATE INDEX IF NOT EXISTS sqs_messages_age ON sqs_messages (queue, sent_ms);
  CREATE INDEX IF NOT EXISTS sqs_messages_id ON sqs_messages (id);
`;

function computeExpiryMs(queue: Queue, nowMs: number): number {
  return nowMs - queue.settings.MessageRetentionPeriod * 1000;
}
