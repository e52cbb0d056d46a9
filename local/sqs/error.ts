// SQS once spoke XML, and its JSON answers still carry the old error code in a header that every SDK reads.
import { AwsError } from '../aws/error.ts';

const oldCodes: Record<string, { code: string; status?: number }> = {
  QueueDoesNotExist: { code: 'AWS.SimpleQueueService.NonExistentQueue' },
  QueueNameExists: { code: 'QueueAlreadyExists' },
  PurgeQueueInProgress: { code: 'AWS.SimpleQueueService.PurgeQueueInProgress', status: 403 },
  EmptyBatchRequest: { code: 'AWS.SimpleQueueService.EmptyBatchRequest' },
  TooManyEntriesInBatchRequest: { code: 'AWS.SimpleQueueService.TooManyEntriesInBatchRequest' },
  BatchEntryIdsNotDistinct: { code: 'AWS.SimpleQueueService.BatchEntryIdsNotDistinct' },
  InvalidBatchEntryId: { code: 'AWS.SimpleQueueService.InvalidBatchEntryId' },
  BatchRequestTooLong: { code: 'AWS.SimpleQueueService.BatchRequestTooLong' },
  UnsupportedOperation: { code: 'AWS.SimpleQueueService.UnsupportedOperation' },
  ReceiptHandleIsInvalid: { code: 'ReceiptHandleIsInvalid', status: 404 },
  InvalidAddress: { code: 'InvalidAddress', status: 404 },
  InvalidParameterValueException: { code: 'InvalidParameterValue' },
  MissingRequiredParameterException: { code: 'MissingParameter' },
  UnknownOperationException: { code: 'InvalidAction' },
};

export function sqsError(name: string, message: string): AwsError {
  const { code, status = 400 } = oldCodes[name] ?? { code: name };
  return new AwsError(name, message, { status, headers: { 'x-amzn-query-error': `${code};Sender` } });
}

/** The code that a failed entry of a batch shows. */
export function oldCode(error: AwsError): string {
  return oldCodes[error.code]?.code ?? error.code;
}

export const queueDoesNotExist = () => sqsError('QueueDoesNotExist', 'The specified queue does not exist.');

export const invalidValue = (message: string) => sqsError('InvalidParameterValueException', message);

export const missing = (parameter: string) =>
  sqsError('MissingRequiredParameterException', `The request must contain the parameter ${parameter}.`);
