import { holds } from '../../../../local/step-functions/choice-rule.ts';

const data = { s: 'abc', n: 5, b: true, z: null, t: '2026-01-02T00:00:00Z', other: 'abc', m: 7, log: 'a*b.log' };

describe('choice rules', () => {
  it.each([
    [{ Variable: '$.s', StringEquals: 'abc' }, true],
    [{ Variable: '$.s', StringEqualsPath: '$.other' }, true],
    [{ Variable: '$.s', StringLessThan: 'abd' }, true],
    [{ Variable: '$.s', StringGreaterThanEquals: 'abd' }, false],
    [{ Variable: '$.n', StringEquals: '5' }, false],
    [{ Variable: '$.s', StringMatches: 'a*c' }, true],
    [{ Variable: '$.s', StringMatches: 'a*d' }, false],
    [{ Variable: '$.log', StringMatches: 'a\\*b.*' }, true],
    [{ Variable: '$.s', StringMatches: 'a\\*c' }, false],
    [{ Variable: '$.n', NumericEquals: 5 }, true],
    [{ Variable: '$.n', NumericLessThanPath: '$.m' }, true],
    [{ Variable: '$.n', NumericGreaterThanEquals: 6 }, false],
    [{ Variable: '$.s', NumericEquals: 5 }, false],
    [{ Variable: '$.b', BooleanEquals: true }, true],
    [{ Variable: '$.b', BooleanEqualsPath: '$.b' }, true],
    [{ Variable: '$.t', TimestampEquals: '2026-01-02T01:00:00+01:00' }, true],
    [{ Variable: '$.t', TimestampLessThanEquals: '2026-01-02T00:00:00.001Z' }, true],
    [{ Variable: '$.t', TimestampGreaterThanPath: '$$.Execution.StartTime' }, true],
    [{ Variable: '$.z', IsNull: true }, true],
    [{ Variable: '$.none', IsPresent: false }, true],
    [{ Variable: '$.z', IsPresent: true }, true],
    [{ Variable: '$.n', IsNumeric: true }, true],
    [{ Variable: '$.s', IsString: false }, false],
    [{ Variable: '$.b', IsBoolean: true }, true],
    [{ Variable: '$.t', IsTimestamp: true }, true],
    [{ Variable: '$.s', IsTimestamp: true }, false],
    [
      {
        And: [
          { Variable: '$.n', NumericEquals: 5 },
          { Variable: '$.b', BooleanEquals: true },
        ],
      },
      true,
    ],
    [
      {
        Or: [
          { Variable: '$.n', NumericEquals: 6 },
          { Variable: '$.b', BooleanEquals: true },
        ],
      },
      true,
    ],
    [{ Not: { Variable: '$.n', NumericEquals: 5 } }, false],
    [
      {
        And: [
          { Variable: '$.none', IsPresent: true },
          { Variable: '$.none', NumericEquals: 5 },
        ],
      },
      false,
    ],
  ])('%j', (rule, expected) => {
    expect(holds(rule, data, { Execution: { StartTime: '2026-01-01T00:00:00Z' } })).toBe(expected);
  });

  it('fails when the variable is not there', () => {
    expect(() => holds({ Variable: '$.none', NumericEquals: 1 }, data, {})).toThrow("Invalid path '$.none'");
  });
});
