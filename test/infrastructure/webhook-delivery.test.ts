import { prod, resources } from './stack.ts';

const properties = (type: string) => resources(prod, type).map(([, { Properties }]) => Properties);
const toId = (type: string, start: string) => resources(prod, type).find(([id]) => id.startsWith(start))![0];

describe('webhook delivery', () => {
  it('limits the workers of each queue', () => {
    const mappings = properties('AWS::Lambda::EventSourceMapping');
    for (const queue of ['WebhookDeliveryQueue', 'WebhookDeliverySlowQueue', 'WebhookDeliveryRetryQueue']) {
      const id = toId('AWS::SQS::Queue', queue);
      const mapping = mappings.find(({ EventSourceArn }) => JSON.stringify(EventSourceArn).includes(id));
      expect(mapping).toMatchObject({ ScalingConfig: { MaximumConcurrency: expect.any(Number) } });
    }
  });

  it('starts later attempts by message, so that thousands of them do not start thousands of functions', () => {
    const [machine] = properties('AWS::StepFunctions::StateMachine');
    const definition = JSON.stringify(machine!.DefinitionString);
    expect(definition).toContain('sqs:sendMessage');
    expect(definition).not.toContain('lambda:');
    const statements = JSON.stringify(resources(prod, 'AWS::IAM::Role').find(([id]) => id.includes('MachineRole')));
    expect(statements).toContain('"Action":"sqs:SendMessage"');
    expect(statements).not.toContain('lambda:InvokeFunction');
  });
});
