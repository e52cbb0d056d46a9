// SQS errors carry the code of the former XML protocol in a header that every SDK reads.
import { AwsError } from '../aws/error.ts';

const queryCodes: Record<string, { code: string; status?: number }> = {
  QueueDoesNotExist: { code: 'AWS.SimpleQueueService.NonExistentQueue' },
  PurgeQueueInProgress: { code: 'AWS.SimpleQueueService.PurgeQueueInProgress', status: 403 },
  EmptyBatchRequest: { code: 'AWS.SimpleQueueService.EmptyBatchRequest' },
  TooManyEntriesInBatchRequest: { code: 'AWS.SimpleQueueService.TooManyEntriesInBatchRequest' },
  BatchEntryIdsNotDistinct: { code: 'AWS.SimpleQueueService.BatchEntryIdsNotDistinct' },
  InvalidBatchEntryId: { code: 'AWS.SimpleQueueService.InvalidBatchEntryId' },
  BatchRequestTooLong: { code: 'AWS.SimpleQueueService.BatchRequestTooLong' },
  UnsupportedOperation: { code: 'AWS.SimpleQueueService.UnsupportedOperation' },
  ReceiptHandleIsInvalid: { code: 'ReceiptHandleIsInvalid', status: 404 },
  InvalidParameterValueException: { code: 'InvalidParameterValue' },
  MissingRequiredParameterException: { code: 'MissingParameter' },
};

export function sqsError(name: string, message: string): AwsError {
  const { code, status = 400 } = queryCodes[name] ?? { code: name };
  return new AwsError(name, message, { status, headers: { 'x-amzn-query-error': `${code};Sender` } });
}

/** Returns the error code for a failed entry of a batch. */
export function getQueryCode({ code }: AwsError): string {
  return queryCodes[code]?.code ?? code;
}

export const queueNotFoundError = () => sqsError('QueueDoesNotExist', 'The specified queue does not exist.');

export const unsupportedError = (what: string) =>
  sqsError('UnsupportedOperation', `The local runtime does not implement ${what}.`);

export const invalidValueError = (name: string, value: unknown, reason: string) =>
  sqsError('InvalidParameterValueException', `Value ${value} for parameter ${name} is invalid. Reason: ${reason}`);

export const missingParameterError = (parameter: string) =>
  sqsError('MissingRequiredParameterException', `The request must contain the parameter ${parameter}.`);
