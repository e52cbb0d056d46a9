import {
  findPasswordProblem,
  generatePassword,
  hashPassword,
  parsePasswordPolicy,
  verifyPassword,
} from '../../../../local/cognito/password.ts';

describe('password', () => {
  it('is kept as a salted hash that only the password itself meets', async () => {
    const [first, second] = await Promise.all([hashPassword('Correct-Horse-1'), hashPassword('Correct-Horse-1')]);
    expect(first).not.toBe(second);
    expect(first).not.toContain('Correct');
    expect(await verifyPassword('Correct-Horse-1', first)).toBe(true);
    expect(await verifyPassword('Correct-Horse-2', first)).toBe(false);
  });

  it('is never right for somebody who does not exist', async () => {
    expect(await verifyPassword('', undefined)).toBe(false);
  });

  it('rejects a hash that it does not know', async () => {
    await expect(verifyPassword('x', 'md5$abc')).rejects.toThrow('unknown password hash md5');
  });

  it('follows AWS’s strict policy when the pool has none, and only its own rules when it has one', () => {
    expect(findPasswordProblem(parsePasswordPolicy(undefined), 'lowercase')).toBe(
      'Password must have uppercase characters',
    );
    expect(findPasswordProblem(parsePasswordPolicy({ MinimumLength: 6 }), 'lowercase')).toBeUndefined();
    expect(findPasswordProblem(parsePasswordPolicy({}), 'x'.repeat(257))).toBe('Password too long');
    expect(findPasswordProblem(parsePasswordPolicy({}), undefined)).toBe('Password not long enough');
  });

  it.each([6, 8, 20, 99])('is generated to meet any policy of %s characters', (MinimumLength) => {
    const policy = { ...parsePasswordPolicy(undefined), minLength: MinimumLength };
    for (let i = 0; i < 50; i++) expect(findPasswordProblem(policy, generatePassword(policy))).toBeUndefined();
  });
});
