import { type AwsService, type Caller, createQueryService, unsupportedOperationError } from '../aws/service.ts';
import type { StackEnvironment } from '../template/resource-type.ts';

/** GetCallerIdentity, which needs no permission. */
export function createSts({ environment }: { environment: StackEnvironment }): { service: Required<AwsService> } {
  const { accountId: Account } = environment;
  const toArn = ({ roleArn, name }: Caller) =>
    roleArn === undefined
      ? `arn:aws:iam::${Account}:user/${name}`
      : `arn:aws:sts::${Account}:assumed-role/${roleArn.split('/').at(-1)}/${name}`;
  return {
    service: createQueryService({
      signingName: 'sts',
      namespace: 'https://sts.amazonaws.com/doc/2011-06-15/',
      access(operation) {
        if (operation !== 'GetCallerIdentity') throw unsupportedOperationError('sts', operation);
        return [];
      },
      call: (_operation, _input, caller) => ({ Arn: toArn(caller), UserId: caller.name, Account }),
    }),
  };
}
