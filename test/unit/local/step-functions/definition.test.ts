import { checkDefinition, type Definition, sendMessageResource } from '../../../../local/step-functions/definition.ts';
import { aTask } from './machine.ts';

const listProblems = (states: object, more: object = {}) =>
  checkDefinition({ StartAt: Object.keys(states)[0], States: states, ...more } as unknown as Definition);

describe('checkDefinition', () => {
  it('accepts every supported field', () => {
    const states = {
      Wait: { Type: 'Wait', SecondsPath: '$.wait_seconds', Next: 'Send' },
      Send: {
        Type: 'Task',
        Resource: sendMessageResource,
        Parameters: { QueueUrl: 'q', MessageBody: { 'id.$': '$.delivery.id', all: [{ 'x.$': '$' }] } },
        Retry: [{ ErrorEquals: ['States.ALL'], BackoffRate: 2, MaxDelaySeconds: 60, JitterStrategy: 'FULL' }],
        Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Failed' }],
        End: true,
      },
      Failed: { Type: 'Fail', Error: 'Impossible', Cause: 'because' },
    };
    expect(listProblems(states, { Comment: 'all of it' })).toEqual([]);
  });

  it.each([
    [{ A: { Type: 'Choice', Choices: [] } }, 'state A: the type Choice is not supported'],
    [{ A: { Type: 'Map', End: true } }, 'the type Map is not supported'],
    [{ A: { Type: 'Parallel', End: true } }, 'the type Parallel is not supported'],
    [{ A: { Type: 'constructor', End: true } }, 'the type constructor is not supported'],
    [{ A: aTask({ Resource: 'arn:aws:states:::lambda:invoke' }) }, 'lambda:invoke is not supported'],
    [{ A: aTask({ Resource: `${sendMessageResource}.waitForTaskToken` }) }, 'waitForTaskToken is not supported'],
    [{ A: aTask({ TimeoutSeconds: 5 }) }, 'the field TimeoutSeconds is not supported'],
    [{ A: aTask({ ResultPath: '$.a' }) }, 'the field ResultPath is not supported'],
    [{ A: aTask({ QueryLanguage: 'JSONata' }) }, 'the query language JSONata is not supported'],
    [{ A: aTask({ Parameters: undefined }) }, 'Parameters is missing'],
    [{ A: aTask({ Parameters: { b: { 'c.$': '$.x[*]' } } }) }, 'Parameters.b.c.$: the path $.x[*] is not supported'],
    [{ A: aTask({ Parameters: { 'c.$': 'States.UUID()' } }) }, 'the path States.UUID() is not supported'],
    [{ A: aTask({ Parameters: { 'c.$': '$$.Execution.Id' } }) }, 'the path $$.Execution.Id is not supported'],
    [{ A: aTask({ Retry: [{ ErrorEquals: ['X'], BackoffRate: 0.5 }] }) }, 'BackoffRate must be at least 1'],
    [{ A: aTask({ Catch: [{ ErrorEquals: ['X'], Next: 'B' }] }) }, 'Catch: Next names the unknown state B'],
    [{ A: { Type: 'Wait', Timestamp: '2026-01-01T00:00:00Z', End: true } }, 'the field Timestamp is not supported'],
    [{ A: { Type: 'Wait', End: true } }, 'requires either Seconds or SecondsPath'],
    [{ A: { Type: 'Wait', Seconds: 1, Next: 'B' } }, 'Next names the unknown state B'],
    [{ A: { Type: 'Wait', Seconds: 1 } }, 'requires either Next or End: true'],
  ])('rejects %j', (states, problem) => {
    expect(listProblems(states).join('\n')).toContain(problem);
  });

  it('lists every problem', () => {
    expect(listProblems({ A: { Type: 'Odd' }, B: { Type: 'Strange' } }, { TimeoutSeconds: 5 })).toHaveLength(3);
  });
});
