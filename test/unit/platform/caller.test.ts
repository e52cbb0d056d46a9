import fc from 'fast-check';
import { roles } from '../../../contract/roles.ts';
import { fromAuthorizerContext, toAuthorizerContext } from '../../../lambdas/platform/caller.ts';

describe('caller', () => {
  it('is unchanged by the gateway, which passes only strings', () => {
    const text = fc.string({ minLength: 1 });
    const caller = fc.record({
      id: text,
      email: text,
      kind: fc.constantFrom('user' as const, 'client' as const),
      roles: fc.subarray([...roles]),
      clientId: text,
      ownerId: text,
      tokenExpiresAt: fc.integer({ min: 1 }),
    });
    fc.assert(
      fc.property(caller, (one) => {
        const context = toAuthorizerContext(one);
        expect(Object.values(context).every((value) => typeof value === 'string')).toBe(true);
        expect(fromAuthorizerContext({ ...context, principalId: 'x', integrationLatency: 3 })).toEqual(one);
      }),
    );
  });

  it('rejects a context that the authorizer did not write', () => {
    expect(() => fromAuthorizerContext(undefined)).toThrow();
    expect(() => fromAuthorizerContext({ principalId: 'x' })).toThrow();
  });
});
