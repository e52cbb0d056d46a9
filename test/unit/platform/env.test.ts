import { env } from '../../../lambdas/platform/env.ts';

describe('env', () => {
  const saved = { ...process.env };
  afterEach(() => {
    process.env = { ...saved };
  });

  it('returns the requested variables', () => {
    process.env.RECORDS_TABLE = 'records-1';
    expect(env('RECORDS_TABLE')).toEqual({ RECORDS_TABLE: 'records-1' });
  });

  it('lists all missing and invalid variables', () => {
    delete process.env.RECORDS_TABLE;
    process.env.ISSUER = 'not an address';
    process.env.USER_POOL_ID = 'pool';
    expect(() => env('RECORDS_TABLE', 'ISSUER', 'USER_POOL_ID')).toThrow(
      'missing or invalid environment variables: RECORDS_TABLE, ISSUER',
    );
  });
});
