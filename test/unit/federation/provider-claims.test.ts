import { chooseRole, readClaims } from '../../../lambdas/federation/provider-claims.ts';

describe('readClaims', () => {
  it.each([
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    ['["a","b, c"]', ['a', 'b, c']],
    ['[a, b]', ['a', 'b']],
    ['a, b', ['a', 'b']],
    ['a', ['a']],
    ['', []],
    ['[]', []],
  ])('reads the groups %j', (groups, expected) => {
    expect(readClaims({ groups }, 'one').groups).toEqual(expected);
  });

  it('knows the names of other products', () => {
    const claims = {
      'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress': ' Ada@Acme.org ',
      'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups': 'desk',
      displayName: 'Ada',
    };
    expect(readClaims(claims, 'one')).toEqual({
      subject: 'one',
      email: 'ada@acme.org',
      isEmailVerified: false,
      name: 'Ada',
      groups: ['desk'],
    });
  });

  it.each([true, 'true'])('accepts an address with email_verified %j', (email_verified) => {
    expect(readClaims({ email: 'ada@acme.org', email_verified }, 'one').isEmailVerified).toBe(true);
  });

  it.each([undefined, false, 'false', 1, 'yes'])('rejects an address with email_verified %j', (email_verified) => {
    expect(readClaims({ email: 'ada@acme.org', email_verified }, 'one').isEmailVerified).toBe(false);
  });
});

describe('chooseRole', () => {
  const roleMapping = { desk: 'itsm_agent', leads: 'itsm_manager' } as const;

  it('takes the highest role of all groups', () => {
    expect(chooseRole(['desk', 'leads', 'other'], { roleMapping, unmappedPeople: 'rejected' })).toBe('itsm_manager');
  });

  it('gives viewer or nothing to people without a mapped group', () => {
    expect(chooseRole(['super_admin', 'toString'], { roleMapping, unmappedPeople: 'viewer' })).toBe('viewer');
    expect(chooseRole([], { roleMapping, unmappedPeople: 'rejected' })).toBeUndefined();
  });
});
