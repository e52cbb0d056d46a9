import { resourceTypes as sqsTypes } from '../../../../local/sqs/resource-types.ts';
import { aResource, environment } from '../test-runtime.ts';
import { aMachineResource, machineArn } from './machine.ts';

export { environment, machineArn };
export const queueArn = 'arn:aws:sqs:eu-west-1:123456789012:work';

export const crashQueue = aResource(sqsTypes, 'AWS::SQS::Queue', 'Work', { QueueName: 'work' });

const aWait = (Seconds: number, more: object) => ({ Type: 'Wait', Seconds, ...more });

export const crashMachine = aMachineResource({
  StartAt: 'Prepare',
  States: { Prepare: aWait(0, { Next: 'Wait' }), Wait: aWait(3600, { End: true }) },
});
