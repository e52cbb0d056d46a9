import { resourceTypes as sqsTypes } from '../../../../local/sqs/resource-types.ts';
import { resourceTypes } from '../../../../local/step-functions/resource-types.ts';
import { aResource, environment } from '../sqs/ground.ts';

export { environment };
export const machineArn = 'arn:aws:states:eu-west-1:123456789012:stateMachine:machine';
export const queueArn = 'arn:aws:sqs:eu-west-1:123456789012:work';

export const crashQueue = aResource(sqsTypes, 'AWS::SQS::Queue', 'Work', { QueueName: 'work' });

export const crashMachine = aResource(resourceTypes, 'AWS::StepFunctions::StateMachine', 'Machine', {
  StateMachineName: 'machine',
  RoleArn: 'arn:aws:iam::123456789012:role/machine',
  Definition: {
    StartAt: 'Prepare',
    States: {
      Prepare: { Type: 'Pass', Next: 'Wait' },
      Wait: { Type: 'Wait', Seconds: 3600, Next: 'Done' },
      Done: { Type: 'Pass', Result: 'done', End: true },
    },
  },
});
