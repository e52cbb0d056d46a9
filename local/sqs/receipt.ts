// A receipt handle names the queue, the message and the one delivery it was given for.
import { sqsError } from './error.ts';

export interface Receipt {
  queueName: string;
  messageId: string;
  nonce: string;
}

export function writeReceipt({ queueName, messageId, nonce }: Receipt): string {
  return Buffer.from(`${queueName} ${messageId} ${nonce}`).toString('base64');
}

export function readReceipt(handle: unknown, queueName: string): Receipt {
  const parts = Buffer.from(String(handle), 'base64').toString('utf8').split(' ');
  const [name, messageId, nonce] = parts;
  if (parts.length !== 3 || name !== queueName || !messageId || !nonce) {
    throw sqsError('ReceiptHandleIsInvalid', `The input receipt handle "${handle}" is not a valid receipt handle.`);
  }
  return { queueName: name, messageId, nonce };
}
