import fc from 'fast-check';
import { type Filter, filterOperators, webhookFilters } from '../../../contract/webhook-settings.ts';
import { evaluateFilters } from '../../../lambdas/webhooks/filter.ts';

const payload = {
  event: 'incident.updated',
  incident: { priority: 'P1', state: 'in_progress', category: null, tags: ['db', 'prod'], cost: 12.5 },
  changes: { state: { from: 'new', to: 'in_progress' } },
  items: [{ name: 'a', sizes: [1, 2] }],
};

const holds = (field: string, operator: string, value: unknown) =>
  evaluateFilters(webhookFilters.parse([{ field, operator, value }]), payload).passed;

describe('filters', () => {
  it.each([
    ['incident.priority', 'eq', 'P1', true],
    ['incident.priority', 'eq', 'P2', false],
    ['incident.cost', 'eq', '12.5', false],
    ['incident.priority', 'neq', 'P2', true],
    ['incident.nothing', 'neq', 'P2', true],
    ['incident.nothing', 'eq', null, true],
    ['incident.priority', 'in', ['P1', 'P2'], true],
    ['incident.priority', 'nin', ['P1', 'P2'], false],
    ['incident.priority', 'lte', 'P2', true],
    ['incident.cost', 'gt', 12, true],
    ['incident.cost', 'gte', 12.5, true],
    ['incident.cost', 'lt', 12.5, false],
    ['incident.cost', 'gt', '1', false],
    ['incident.tags', 'contains', 'db', true],
    ['incident.tags', 'contains', 'd', false],
    ['event', 'contains', 'dent.up', true],
    ['event', 'starts_with', 'incident.', true],
    ['event', 'ends_with', '.created', false],
    ['incident.cost', 'starts_with', '1', false],
    ['changes.state.to', 'eq', 'in_progress', true],
    ['changes.priority', 'exists', false, true],
    ['changes.state', 'exists', true, true],
    ['incident.category', 'exists', true, false],
    ['items[0].sizes[1]', 'eq', 2, true],
    ['$.items[0].name', 'eq', 'a', true],
    ['items[7].name', 'exists', false, true],
    ['items.length', 'exists', false, true],
    ['constructor', 'exists', false, true],
    ['__proto__.constructor', 'exists', false, true],
  ])('%s %s %j is %s', (field, operator, value, expected) => {
    expect(holds(field, operator, value)).toBe(expected);
  });

  it('matches only if all filters match, and returns each result', () => {
    const filters = webhookFilters.parse([
      { field: 'incident.priority', operator: 'eq', value: 'P1' },
      { field: 'incident.state', operator: 'eq', value: 'new' },
    ]);
    const { passed, trace } = evaluateFilters(filters, payload);
    expect(passed).toBe(false);
    expect(trace).toEqual([
      { ...filters[0], actual: 'P1', passed: true },
      { ...filters[1], actual: 'in_progress', passed: false },
    ]);
    expect(evaluateFilters([], payload).passed).toBe(true);
  });

  it.each([
    [{ field: 'a', operator: 'like', value: 1 }, 'operator'],
    [{ field: 'a..b', operator: 'eq', value: 1 }, 'field'],
    [{ field: 'a[x]', operator: 'eq', value: 1 }, 'field'],
    [{ field: '', operator: 'eq', value: 1 }, 'field'],
    [{ field: 'a', operator: 'in', value: 'x' }, 'value'],
    [{ field: 'a', operator: 'exists', value: 'yes' }, 'value'],
    [{ field: 'a', operator: 'gt', value: [] }, 'value'],
    [{ field: 'a', operator: 'starts_with', value: 1 }, 'value'],
    [{ field: 'a', operator: 'eq' }, 'value'],
  ])('rejects %j because of its %s', (filter, part) => {
    const parsed = webhookFilters.safeParse([filter]);
    expect(parsed.error?.issues.map(({ path }) => path)).toContainEqual([0, part]);
  });

  it('agrees with a reference on any payload, and never throws', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'length', '__proto__');
    const leaf = fc.oneof(
      fc.integer({ min: -2, max: 2 }),
      fc.constantFrom('', 'a', 'ab', 'P1'),
      fc.boolean(),
      fc.constant(null),
    );
    const { value: json } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
      ),
    }));
    const path = fc.array(fc.oneof(name, fc.nat(2)), { minLength: 1, maxLength: 3 }).map((steps) => ['a', ...steps]);
    fc.assert(
      fc.property(json, path, fc.constantFrom(...filterOperators), json, (value, steps, operator, operand) => {
        const field = steps
          .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
          .join('')
          .slice(1);
        const filter = { field, operator, value: operand } as Filter;
        const root = { a: value };
        expect(evaluateFilters([filter], root).passed).toBe(reference(filter, lookUp(root, steps)));
      }),
      { numRuns: 2_000 },
    );
  });
});

/** Written apart from the code: by way of JSON texts and entries, not of values and properties. */
function lookUp(root: unknown, steps: readonly (string | number)[]): unknown {
  return steps.reduce<unknown>((value, step) => {
    if (typeof step === 'number') return Array.isArray(value) ? value.slice(step, step + 1).pop() : undefined;
    if (Array.isArray(value) || value === null || typeof value !== 'object') return undefined;
    return new Map(Object.entries(value)).get(step);
  }, root);
}

function reference({ operator, value }: Filter, found: unknown): boolean {
  const text = (one: unknown) => canonical(one ?? null);
  const is = text(found);
  const order = typeof found === typeof value && ['string', 'number'].includes(typeof found);
  const [left, right] = [found as string, value as string];
  const texts = typeof found === 'string' && typeof value === 'string';
  switch (operator) {
    case 'eq':
      return is === text(value);
    case 'neq':
      return is !== text(value);
    case 'in':
      return Array.isArray(value) && value.map(text).includes(is);
    case 'nin':
      return !(Array.isArray(value) && value.map(text).includes(is));
    case 'gt':
      return order && right < left;
    case 'gte':
      return order && !(left < right);
    case 'lt':
      return order && right > left;
    case 'lte':
      return order && !(right < left);
    case 'contains':
      if (typeof found === 'string')
        return typeof value === 'string' && found.split(value).length > (value === '' ? -1 : 1);
      return Array.isArray(found) && found.map(text).includes(text(value));
    case 'starts_with':
      return texts && left.slice(0, right.length) === right;
    case 'ends_with':
      return texts && left.slice(Math.max(0, left.length - right.length)) === right;
    default:
      return value === (is !== 'null');
  }
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`).join()}}`;
}
