// Errors that most operations share, with AWS's texts.
import { AwsError } from '../aws/error.ts';

export function validationError(message: string): AwsError {
  return new AwsError('ValidationException', message);
}

/** The common error text of AWS's request validation. */
export function constraintError(value: unknown, member: string, rule: string): AwsError {
  const shown = value === undefined || value === null ? 'null' : `'${String(value)}'`;
  return validationError(
    `1 validation error detected: Value ${shown} at '${member}' failed to satisfy constraint: Member must ${rule}`,
  );
}

export function tableNotFoundError(name?: string): AwsError {
  const which = name === undefined ? '' : `: Table: ${name} not found`;
  return new AwsError('ResourceNotFoundException', `Requested resource not found${which}`);
}

export function conditionFailedError(item: unknown): AwsError {
  return new AwsError('ConditionalCheckFailedException', 'The conditional request failed', {
    fields: item === undefined ? {} : { Item: item },
  });
}
