// The messages of all queues, in one table. Access patterns:
//   take the longest visible messages of a queue   sqs_messages_visible (queue, visible_ms, sequence)
//   find when the next message becomes visible     sqs_messages_wake (visible_ms)
//   forget what is older than the retention        sqs_messages_age (queue, sent_ms)
//   delete or hide by receipt                      sqs_messages_id (id)
import { createHash, randomUUID } from 'node:crypto';
import type { Row, Storage } from '../storage/storage.ts';
import type { MessageAttributes } from './message-attributes.ts';
import type { Queue } from './queue.ts';
import { type Receipt, writeReceipt } from './receipt.ts';

export interface NewMessage {
  body: string;
  attributes: MessageAttributes;
  systemAttributes: MessageAttributes;
  senderId: string;
  delaySeconds: number;
}

export interface TakenMessage {
  id: string;
  receiptHandle: string;
  body: string;
  bodyDigest: string;
  attributes: MessageAttributes;
  systemAttributes: Record<string, string>;
}

export interface QueueCounts {
  visible: number;
  inFlight: number;
  delayed: number;
}

/** Everything that changes rows must run inside storage.write(). */
export class MessageStore {
  private readonly storage: Storage;

  constructor(storage: Storage) {
    storage.exec(schema);
    this.storage = storage;
  }

  add(queue: Queue, message: NewMessage, nowMs: number): string {
    return add(this.storage, queue, message, nowMs);
  }

  /** A message received as often as its queue allows goes to the dead-letter queue instead, when someone asks for it. */
  take(queue: Queue, max: number, hideSeconds: number, nowMs: number) {
    return take(this.storage, queue, max, hideSeconds, nowMs);
  }

  /** A receipt that is not the latest, or a message that is gone, changes nothing. */
  delete(queue: Queue, receipt: Receipt): void {
    this.storage
      .prepare('DELETE FROM sqs_messages WHERE id = ? AND queue = ? AND receipt = ?')
      .run([receipt.messageId, queue.arn, receipt.nonce]);
  }

  /** False unless the message is in flight under this receipt. */
  hide(queue: Queue, receipt: Receipt, untilMs: number, nowMs: number): boolean {
    const { changes } = this.storage
      .prepare('UPDATE sqs_messages SET visible_ms = ? WHERE id = ? AND queue = ? AND receipt = ? AND visible_ms > ?')
      .run([untilMs, receipt.messageId, queue.arn, receipt.nonce, nowMs]);
    return changes > 0;
  }

  purge(queue: Queue): void {
    this.storage.prepare('DELETE FROM sqs_messages WHERE queue = ?').run([queue.arn]);
  }

  hasVisible(queue: Queue, nowMs: number): boolean {
    const found = this.storage
      .prepare('SELECT 1 FROM sqs_messages WHERE queue = ? AND visible_ms <= ? AND sent_ms > ? LIMIT 1')
      .get([queue.arn, nowMs, oldestMs(queue, nowMs)]);
    return found !== undefined;
  }

  counts(queue: Queue, nowMs: number): QueueCounts {
    return counts(this.storage, queue, nowMs);
  }

  nextVisibleMs(afterMs: number): number | undefined {
    const next = this.storage
      .prepare('SELECT MIN(visible_ms) AS next FROM sqs_messages WHERE visible_ms > ?')
      .get([afterMs])?.next;
    return typeof next === 'number' ? next : undefined;
  }

  /** The queues in which something became visible in this span of time. */
  becameVisible(afterMs: number, untilMs: number): string[] {
    return this.storage
      .prepare('SELECT DISTINCT queue FROM sqs_messages WHERE visible_ms > ? AND visible_ms <= ?')
      .all([afterMs, untilMs])
      .map((row) => String(row.queue));
  }
}

export function bodyDigest(body: string): string {
  return createHash('md5').update(body).digest('hex');
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

function add(storage: Storage, queue: Queue, message: NewMessage, nowMs: number): string {
  const id = randomUUID();
  storage
    .prepare(
      `INSERT INTO sqs_messages (id, queue, body, attributes, system_attributes, sender, sent_ms, visible_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run([
      id,
      queue.arn,
      message.body,
      JSON.stringify(message.attributes),
      JSON.stringify(message.systemAttributes),
      message.senderId,
      nowMs,
      nowMs + message.delaySeconds * 1000,
    ]);
  return id;
}

function take(storage: Storage, queue: Queue, max: number, hideSeconds: number, nowMs: number) {
  const taken: TakenMessage[] = [];
  const deadLetterQueues = new Set<string>();
  storage.prepare('DELETE FROM sqs_messages WHERE queue = ? AND sent_ms <= ?').run([queue.arn, oldestMs(queue, nowMs)]);
  const redrive = queue.settings.RedrivePolicy;
  const next = storage.prepare(
    'SELECT * FROM sqs_messages WHERE queue = ? AND visible_ms <= ? ORDER BY visible_ms, sequence LIMIT ?',
  );
  // Each round hands out or moves away every row it reads, so the rounds end.
  for (let rows = next.all([queue.arn, nowMs, max]); rows.length > 0 && taken.length < max; ) {
    for (const row of rows) {
      if (redrive && Number(row.receive_count) >= redrive.maxReceiveCount) {
        moveToDeadLetters(storage, row, queue, redrive.deadLetterTargetArn, nowMs);
        deadLetterQueues.add(redrive.deadLetterTargetArn);
      } else {
        taken.push(handOut(storage, row, queue, hideSeconds, nowMs));
      }
    }
    // With a visibility timeout of zero a message stays visible and must not be read again in the same call.
    if (hideSeconds === 0 && taken.length > 0) break;
    rows = taken.length < max ? next.all([queue.arn, nowMs, max - taken.length]) : [];
  }
  return { taken, deadLetterQueues };
}

function moveToDeadLetters(storage: Storage, row: Row, queue: Queue, deadLetterArn: string, nowMs: number): void {
  storage
    .prepare('UPDATE sqs_messages SET queue = ?, source = ?, receipt = NULL, visible_ms = ? WHERE sequence = ?')
    .run([deadLetterArn, queue.arn, nowMs, row.sequence]);
}

function handOut(storage: Storage, row: Row, queue: Queue, hideSeconds: number, nowMs: number): TakenMessage {
  const nonce = randomUUID();
  const firstReceivedMs = Number(row.first_received_ms ?? nowMs);
  const receiveCount = Number(row.receive_count) + 1;
  storage
    .prepare(
      `UPDATE sqs_messages SET receive_count = ?, first_received_ms = ?, receipt = ?, visible_ms = ?
       WHERE sequence = ?`,
    )
    .run([receiveCount, firstReceivedMs, nonce, nowMs + hideSeconds * 1000, row.sequence]);
  const sent = JSON.parse(String(row.system_attributes)) as MessageAttributes;
  return {
    id: String(row.id),
    receiptHandle: writeReceipt({ queueName: queue.name, messageId: String(row.id), nonce }),
    body: String(row.body),
    bodyDigest: bodyDigest(String(row.body)),
    attributes: JSON.parse(String(row.attributes)),
    systemAttributes: {
      SenderId: String(row.sender),
      ApproximateFirstReceiveTimestamp: String(firstReceivedMs),
      ApproximateReceiveCount: String(receiveCount),
      SentTimestamp: String(row.sent_ms),
      ...(sent.AWSTraceHeader?.StringValue ? { AWSTraceHeader: sent.AWSTraceHeader.StringValue } : {}),
      ...(row.source ? { DeadLetterQueueSourceArn: String(row.source) } : {}),
    },
  };
}

function counts(storage: Storage, queue: Queue, nowMs: number): QueueCounts {
  const row = storage
    .prepare(
      `SELECT COALESCE(SUM(visible_ms <= ?), 0) AS visible,
              COALESCE(SUM(visible_ms > ? AND receipt IS NOT NULL), 0) AS in_flight,
              COALESCE(SUM(visible_ms > ? AND receipt IS NULL), 0) AS delayed
       FROM sqs_messages WHERE queue = ? AND sent_ms > ?`,
    )
    .get([nowMs, nowMs, nowMs, queue.arn, oldestMs(queue, nowMs)])!;
  return { visible: Number(row.visible), inFlight: Number(row.in_flight), delayed: Number(row.delayed) };
}

function oldestMs(queue: Queue, nowMs: number): number {
  return nowMs - queue.settings.MessageRetentionPeriod * 1000;
}
