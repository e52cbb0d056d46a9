import fc from 'fast-check';
import { hasRole, roles } from '../../../contract/roles.ts';

describe('hasRole', () => {
  it('lets a role do all that the roles below it may', () => {
    fc.assert(
      fc.property(fc.nat(3), fc.nat(3), (held, minimum) => {
        expect(hasRole([roles[held]!], roles[minimum]!)).toBe(held >= minimum);
      }),
    );
  });

  it('goes by the highest role held', () => {
    expect(hasRole(['viewer', 'itsm_manager'], 'itsm_manager')).toBe(true);
  });

  it('gives nothing to a caller without a role', () => {
    expect(hasRole([], 'viewer')).toBe(false);
  });
});
