// The answers that most operations share when they refuse a call, in AWS's words.
import { AwsError } from '../aws/error.ts';

export function validationError(message: string): AwsError {
  return new AwsError('ValidationException', message);
}

/** AWS's own framework words its refusals so, whatever the service. */
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
