// The last messages of each topic, kept so that people and tests can read what was published.
import type { Storage } from '../storage/storage.ts';
import type { SnsMessage } from './message.ts';

const keptPerTopic = 1000;

export class MessageStore {
  private readonly storage: Storage;

  constructor(storage: Storage) {
    this.storage = storage;
    storage.exec(`
      CREATE TABLE IF NOT EXISTS sns_messages (
        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
        topic TEXT NOT NULL,
        message TEXT NOT NULL
      );
      CREATE INDEX IF NOT EXISTS sns_messages_topic ON sns_messages (topic, sequence);
    `);
  }

  /** Must run inside storage.write(). */
  add(message: SnsMessage): void {
    this.storage
      .prepare('INSERT INTO sns_messages (topic, message) VALUES (?, ?)')
      .run([message.topicArn, JSON.stringify(message)]);
    this.storage
      .prepare(
        `DELETE FROM sns_messages WHERE topic = ? AND sequence <= (
           SELECT sequence FROM sns_messages WHERE topic = ? ORDER BY sequence DESC LIMIT 1 OFFSET ?)`,
      )
      .run([message.topicArn, message.topicArn, keptPerTopic]);
  }

  all(): SnsMessage[] {
    return this.storage
      .prepare('SELECT message FROM sns_messages ORDER BY sequence')
      .all([])
      .map((row) => JSON.parse(String(row.message)));
  }
}
