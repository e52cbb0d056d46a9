import { parseFilters } from '../../../../local/lambda/event-sources/mapping.ts';
import { resourceTypes } from '../../../../local/lambda/resource-types.ts';
import { loadTemplate } from '../../../../local/template/template.ts';
import { environment } from './function-fixture.ts';

const filters = (...patterns: object[]) =>
  parseFilters({ Filters: patterns.map((pattern) => ({ Pattern: JSON.stringify(pattern) })) })!;

describe('FilterCriteria', () => {
  it('matches every record without filters', () => {
    expect(parseFilters(undefined)).toBeUndefined();
  });

  it.each([
    [{ a: ['x', 1, true, null] }, [{ a: 'x' }, { a: 1 }, { a: true }, { a: null }], [{ a: 'y' }, { a: '1' }, {}, 'x']],
    [{ a: { b: ['x'] } }, [{ a: { b: 'x', c: 1 } }], [{ a: 'x' }, { a: { c: 'x' } }]],
    [{ a: ['x'], b: ['y'] }, [{ a: 'x', b: 'y' }], [{ a: 'x' }]],
  ])('%j', (pattern, passing, failing) => {
    const matches = filters(pattern);
    expect(passing.map(matches)).toEqual(passing.map(() => true));
    expect(failing.map(matches)).toEqual(failing.map(() => false));
  });

  it('matches a record that fits one of several patterns', () => {
    const matches = filters({ a: ['x'] }, { b: ['y'] });
    expect([{ a: 'x' }, { b: 'y' }, { a: 'y' }].map(matches)).toEqual([true, true, false]);
  });

  it.each([
    [{ Filters: [] }, 'a list of 1 to 10'],
    [{ Filters: [{ Pattern: '{' }] }, 'is not a JSON object'],
    [{ Filters: [{ Pattern: '[]' }] }, 'is not a JSON object'],
    [{ Filters: [{ Pattern: '{}' }] }, 'names no field'],
    [{ Filters: [{ Pattern: '{"a":"x"}' }] }, 'a must list the values'],
    [{ Filters: [{ Pattern: '{"a":{"b":[{"prefix":"x"}]}}' }] }, 'of a.b is not supported'],
  ])('rejects %j', (criteria, problem) => {
    expect(() => parseFilters(criteria)).toThrow(problem);
  });
});

const load = (properties: Record<string, unknown>, more: Record<string, { Type: string; Properties: object }> = {}) =>
  loadTemplate(
    {
      Resources: {
        F: { Type: 'AWS::Lambda::Function', Properties: properties as never },
        ...(more as Record<string, never>),
      },
    },
    { types: resourceTypes, environment },
  );

describe('Lambda’s resource types', () => {
  it('name a function after the stack unless the template does', () => {
    expect(load({}).get('F')).toMatchObject({
      physicalId: 'shop-F',
      attributes: { Arn: 'arn:aws:lambda:eu-west-1:123456789012:function:shop-F' },
    });
    expect(load({ FunctionName: 'mine' }).get('F').physicalId).toBe('mine');
  });

  it('keep a generated name within 64 characters and different from others', () => {
    const ref = (logicalId: string) => resourceTypes['AWS::Lambda::Function']!.ref(logicalId, {}, environment);
    const long = 'L'.repeat(80);
    expect(ref(`${long}1`)).toHaveLength(64);
    expect(ref(`${long}1`)).not.toBe(ref(`${long}2`));
  });

  it('give versions and aliases the qualified ARN of their function', () => {
    const stack = load(
      {},
      {
        V: { Type: 'AWS::Lambda::Version', Properties: { FunctionName: { Ref: 'F' } } },
        A: {
          Type: 'AWS::Lambda::Alias',
          Properties: {
            Name: 'live',
            FunctionName: { 'Fn::GetAtt': ['F', 'Arn'] },
            FunctionVersion: { 'Fn::GetAtt': ['V', 'Version'] },
          },
        },
      },
    );
    expect(stack.get('V').physicalId).toBe('arn:aws:lambda:eu-west-1:123456789012:function:shop-F:1');
    expect(stack.get('A').physicalId).toBe('arn:aws:lambda:eu-west-1:123456789012:function:shop-F:live');
  });

  it('reject unsupported properties', () => {
    for (const property of ['Layers', 'VpcConfig', 'DeadLetterConfig', 'FileSystemConfigs', 'ImageConfig'])
      expect(() => load({ [property]: {} })).toThrow(`property ${property} is not supported`);
    const mapping = (property: string) => ({
      M: { Type: 'AWS::Lambda::EventSourceMapping', Properties: { [property]: {} } },
    });
    for (const property of ['TumblingWindowInSeconds', 'SelfManagedEventSource'])
      expect(() => load({}, mapping(property))).toThrow(`property ${property} is not supported`);
  });
});
