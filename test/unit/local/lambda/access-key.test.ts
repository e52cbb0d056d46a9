import fc from 'fast-check';
import { accessKeyFor } from '../../../../local/lambda/access-key.ts';
import { parseFunctionReference } from '../../../../local/lambda/function-reference.ts';

const functionName = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);

describe('accessKeyFor', () => {
  it('makes a key of the form that AWS keys have', () => {
    fc.assert(fc.property(functionName, (name) => /^LOCAL[A-Z0-9]{11,123}$/.test(accessKeyFor(name))));
  });

  it('makes different keys for different names', () => {
    fc.assert(fc.property(functionName, functionName, (a, b) => a === b || accessKeyFor(a) !== accessKeyFor(b)));
  });
});

describe('parseFunctionReference', () => {
  it('reads every form in which AWS names a function', () => {
    fc.assert(
      fc.property(functionName, (name) => {
        const arn = `arn:aws:lambda:eu-west-1:123456789012:function:${name}`;
        for (const text of [name, arn, `123456789012:function:${name}`, `x/functions/${arn}/invocations`])
          expect(parseFunctionReference(text)).toEqual({ name, qualifier: undefined });
        expect(parseFunctionReference(`${arn}:live`)).toEqual({ name, qualifier: 'live' });
        expect(parseFunctionReference(`${name}:$LATEST`)).toEqual({ name, qualifier: '$LATEST' });
      }),
    );
  });

  it('reads nothing else', () => {
    for (const text of ['', 'arn:aws:sqs:eu-west-1:123456789012:queue', 'a b', 'arn:aws:lambda:eu-west-1:1:function:x'])
      expect(parseFunctionReference(text)).toBeUndefined();
  });
});
