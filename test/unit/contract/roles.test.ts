import fc from 'fast-check';
import { hasRole, roles } from '../../../contract/roles.ts';

describe('hasRole', () => {
  it('gives a role all permissions of lower roles', () => {
    fc.assert(
      fc.property(fc.nat(3), fc.nat(3), (held, minimum) => {
        expect(hasRole([roles[held]!], roles[minimum]!)).toBe(held >= minimum);
      }),
    );
  });

  it('uses the highest role', () => {
    expect(hasRole(['viewer', 'itsm_manager'], 'itsm_manager')).toBe(true);
  });

  it('rejects a caller without a role', () => {
    expect(hasRole([], 'viewer')).toBe(false);
  });
});
