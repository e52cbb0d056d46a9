import { formatPageToken, parsePageSize, parsePageToken } from '../../../../local/cognito/paging.ts';
import {
  findPasswordProblem,
  generatePassword,
  hashPassword,
  parsePasswordPolicy,
  verifyPassword,
} from '../../../../local/cognito/password.ts';

describe('password', () => {
  it('is stored as a salted hash that matches only the password', async () => {
    const [first, second] = await Promise.all([hashPassword('Correct-Horse-1'), hashPassword('Correct-Horse-1')]);
    expect(first).not.toBe(second);
    expect(first).not.toContain('Correct');
    expect(await verifyPassword('Correct-Horse-1', first)).toBe(true);
    expect(await verifyPassword('Correct-Horse-2', first)).toBe(false);
  });

  it('is never correct for an unknown user', async () => {
    expect(await verifyPassword('', undefined)).toBe(false);
  });

  it('rejects an unknown hash scheme', async () => {
    await expect(verifyPassword('x', 'md5$abc')).rejects.toThrow('unknown password hash md5');
  });

  it('follows AWS’s default policy unless the pool has its own', () => {
    expect(findPasswordProblem(parsePasswordPolicy(undefined), 'lowercase')).toBe(
      'Password must have uppercase characters',
    );
    expect(findPasswordProblem(parsePasswordPolicy({ MinimumLength: 6 }), 'lowercase')).toBeUndefined();
    expect(findPasswordProblem(parsePasswordPolicy({}), 'x'.repeat(257))).toBe('Password too long');
    expect(findPasswordProblem(parsePasswordPolicy({}), undefined)).toBe('Password not long enough');
  });

  it.each([
    ['short', 'Password not long enough'],
    ['nouppercase-1', 'Password must have uppercase characters'],
    ['NOLOWERCASE-1', 'Password must have lowercase characters'],
    ['No-Numbers', 'Password must have numeric characters'],
    ['NoSymbols1', 'Password must have symbol characters'],
  ])('cannot be %s', (password, problem) => {
    expect(findPasswordProblem(parsePasswordPolicy(undefined), password)).toBe(problem);
  });

  it.each([6, 8, 20, 99])('is generated to meet any policy of %s characters', (MinimumLength) => {
    const policy = { ...parsePasswordPolicy(undefined), minLength: MinimumLength };
    for (let i = 0; i < 50; i++) expect(findPasswordProblem(policy, generatePassword(policy))).toBeUndefined();
  });
});

describe('page sizes and tokens', () => {
  it('default to 60 per page, which is the maximum', () => {
    expect(parsePageSize(undefined, 'limit')).toBe(60);
    expect(parsePageSize(7, 'limit')).toBe(7);
    for (const size of [61, -1, 1.5, 'many']) {
      expect(() => parsePageSize(size, 'limit')).toThrow(
        expect.objectContaining({ code: 'InvalidParameterException' }),
      );
    }
  });

  it('parse their own tokens and reject others', () => {
    expect(parsePageToken(formatPageToken('abc'))).toBe('abc');
    expect(parsePageToken(formatPageToken(12))).toBe('12');
    expect(parsePageToken(undefined)).toBeUndefined();
    expect(() => parsePageToken('not a token')).toThrow(expect.objectContaining({ code: 'InvalidParameterException' }));
  });
});
