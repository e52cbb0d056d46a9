import { environments } from '../../lib/environments.ts';
import { inlineStatements, listStatements, prod, resources } from './stack.ts';

const schedules = resources(prod, 'AWS::Scheduler::Schedule').map(([, { Properties }]) => Properties);

describe('service levels', () => {
  it('are swept every minute', () => {
    const sweeps = schedules.filter(({ Target }) => JSON.stringify(Target).includes('SweepSla'));
    expect(sweeps).toHaveLength(1);
    expect(sweeps[0]).toMatchObject({ ScheduleExpression: 'rate(1 minute)', FlexibleTimeWindow: { Mode: 'OFF' } });
  });

  it('come from the settings of the environment', () => {
    const functions = resources(prod, 'AWS::Lambda::Function').map(([, { Properties }]) => Properties);
    for (const handler of ['sweep-sla', 'create-incident', 'update-incident', 'get-incident-sla', 'run-jobs']) {
      const { Environment } = functions.find(({ Handler }) => Handler === `${handler}.handler`)!;
      const { SLA_MINUTES } = (Environment as { Variables: Record<string, string> }).Variables;
      expect(JSON.parse(SLA_MINUTES!)).toEqual(environments.prod.slaMinutes);
    }
  });

  it('are found by a keys-only index', () => {
    const tables = resources(prod, 'AWS::DynamoDB::Table').map(([, { Properties }]) => Properties);
    const indexes = tables.flatMap(
      ({ GlobalSecondaryIndexes = [] }) => GlobalSecondaryIndexes as { IndexName: string }[],
    );
    expect(indexes.find(({ IndexName }) => IndexName === 'due')).toMatchObject({
      Projection: { ProjectionType: 'KEYS_ONLY' },
    });
    const queries = listStatements(prod, 'sweep-sla').filter(({ Action }) =>
      [Action].flat().includes('dynamodb:Query'),
    );
    expect(queries).toHaveLength(1);
    expect(JSON.stringify(queries[0]!.Resource)).toContain('/index/due');
  });

  it('lets a schedule invoke only its own function', () => {
    const roles = resources(prod, 'AWS::IAM::Role').filter(([, { Properties }]) =>
      JSON.stringify(Properties.AssumeRolePolicyDocument).includes('scheduler.amazonaws.com'),
    );
    expect(roles).toHaveLength(schedules.length);
    for (const [, { Properties }] of roles) {
      expect(inlineStatements(Properties)).toMatchObject([{ Action: 'lambda:InvokeFunction' }]);
    }
  });
});
