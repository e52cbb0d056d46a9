import type { Definition } from '../../../../local/step-functions/definition.ts';
import { checkDefinition } from '../../../../local/step-functions/definition-check.ts';

const problemsOf = (states: object, more: object = {}) =>
  checkDefinition({ StartAt: Object.keys(states)[0], States: states, ...more } as unknown as Definition);
const fn = 'arn:aws:lambda:eu-west-1:123456789012:function:f';

describe('checkDefinition', () => {
  it('takes what it supports', () => {
    expect(
      problemsOf({
        A: {
          Type: 'Task',
          Resource: fn,
          Retry: [{ ErrorEquals: ['States.ALL'] }],
          Catch: [{ ErrorEquals: ['X'], Next: 'B' }],
          Next: 'B',
        },
        B: {
          Type: 'Task',
          Resource: 'arn:aws:states:::lambda:invoke',
          Parameters: { FunctionName: fn, 'Payload.$': '$' },
          Next: 'C',
        },
        C: {
          Type: 'Map',
          ItemProcessor: { ProcessorConfig: { Mode: 'INLINE' }, StartAt: 'D', States: { D: { Type: 'Succeed' } } },
          Next: 'E',
        },
        E: { Type: 'Choice', Choices: [{ Variable: '$.x', IsPresent: true, Next: 'F' }], Default: 'F' },
        F: { Type: 'Task', Resource: 'arn:aws:states:::aws-sdk:dynamodb:updateItem', End: true },
      }),
    ).toEqual([]);
  });

  it.each([
    [
      { A: { Type: 'Task', Resource: 'arn:aws:states:::sqs:sendMessage.waitForTaskToken', End: true } },
      'sendMessage.waitForTaskToken is not supported',
    ],
    [
      { A: { Type: 'Task', Resource: 'arn:aws:states:::states:startExecution.sync:2', End: true } },
      'startExecution.sync:2 is not supported',
    ],
    [
      { A: { Type: 'Task', Resource: 'arn:aws:states:eu-west-1:123456789012:activity:x', End: true } },
      'activity:x is not supported',
    ],
    [
      { A: { Type: 'Task', Resource: 'arn:aws:states:::aws-sdk:s3:getObject', End: true } },
      's3:getObject is not supported',
    ],
    [
      { A: { Type: 'Task', Resource: fn, HeartbeatSeconds: 5, End: true } },
      'the field HeartbeatSeconds is not supported',
    ],
    [{ A: { Type: 'Pass', QueryLanguage: 'JSONata', End: true } }, 'JSONata is not supported'],
    [{ A: { Type: 'Pass', Assign: { x: 1 }, End: true } }, 'the field Assign is not supported'],
    [
      {
        A: {
          Type: 'Map',
          ItemProcessor: { ProcessorConfig: { Mode: 'DISTRIBUTED' }, StartAt: 'B', States: { B: { Type: 'Succeed' } } },
          End: true,
        },
      },
      'mode DISTRIBUTED is not supported',
    ],
    [
      { A: { Type: 'Map', ItemReader: {}, Iterator: { StartAt: 'B', States: { B: { Type: 'Succeed' } } }, End: true } },
      'ItemReader is not supported',
    ],
    [{ A: { Type: 'Pass', Next: 'B' } }, 'Next names B, which is unknown'],
    [{ A: { Type: 'Pass' } }, 'exactly one of Next and End'],
    [{ A: { Type: 'Pass', ResultPath: '$.a[*]', End: true } }, 'can name more than one node'],
    [
      { A: { Type: 'Pass', Parameters: { a: { 'b.$': 'States.Nope()' } }, End: true } },
      'Parameters.a.b.$: the intrinsic function States.Nope does not exist',
    ],
    [{ A: { Type: 'Choice', Choices: [{ Variable: '$.x', Alike: 1, Next: 'A' }] } }, 'not Alike'],
    [
      { A: { Type: 'Parallel', Branches: [{ StartAt: 'B', States: { B: { Type: 'Odd' } } }], End: true } },
      'state A: state B: the type Odd is not supported',
    ],
  ])('refuses %j', (states, problem) => {
    expect(problemsOf(states).join('\n')).toContain(problem);
  });

  it('lists every problem at once', () => {
    expect(problemsOf({ A: { Type: 'Odd' }, B: { Type: 'Strange' } }, { QueryLanguage: 'JSONata' })).toHaveLength(3);
  });
});
