// Passwords: the pool's policy with AWS's messages, scrypt hashes, and delays after wrong attempts.
import { randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { AwsError } from '../aws/error.ts';
import type { Clock } from '../clock/clock.ts';
import type { Properties } from '../template/resource-type.ts';

export interface PasswordPolicy {
  minLength: number;
  lowercase: boolean;
  uppercase: boolean;
  numbers: boolean;
  symbols: boolean;
  temporaryDays: number;
}

const symbols = '^$*.[]{}()?"!@#%&/\\,><\':;|_~`=+-';
const maxLength = 256;
const cost = { N: 16_384, r: 8, p: 1 };
const keyLength = 32;

export function parsePasswordPolicy(properties: Properties): PasswordPolicy {
  // A pool without a policy gets AWS's default, which has all rules.
  const isDefault = properties === undefined;
  const rule = (value: unknown) => isDefault || value === true || value === 'true';
  return {
    minLength: Number(properties?.MinimumLength ?? 8),
    lowercase: rule(properties?.RequireLowercase),
    uppercase: rule(properties?.RequireUppercase),
    numbers: rule(properties?.RequireNumbers),
    symbols: rule(properties?.RequireSymbols),
    temporaryDays: Number(properties?.TemporaryPasswordValidityDays ?? 7),
  };
}

/** Throws InvalidPasswordException unless the password meets the policy. */
export function assertPasswordPolicy(policy: PasswordPolicy, password: unknown): asserts password is string {
  const problem = findPasswordProblem(policy, password);
  if (problem) throw new AwsError('InvalidPasswordException', `Password did not conform with policy: ${problem}`);
}

export function findPasswordProblem(policy: PasswordPolicy, password: unknown): string | undefined {
  if (typeof password !== 'string' || password.length < policy.minLength) return 'Password not long enough';
  if (password.length > maxLength) return 'Password too long';
  if (policy.uppercase && !/[A-Z]/.test(password)) return 'Password must have uppercase characters';
  if (policy.lowercase && !/[a-z]/.test(password)) return 'Password must have lowercase characters';
  if (policy.numbers && !/[0-9]/.test(password)) return 'Password must have numeric characters';
  if (policy.symbols && ![...password].some((character) => symbols.includes(character) || character === ' ')) {
    return 'Password must have symbol characters';
  }
  return undefined;
}

/** A random password that meets any policy of this length. */
export function generatePassword(policy: PasswordPolicy): string {
  const sets = ['abcdefghijkmnopqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789', '!#%+=?@'];
  const all = sets.join('');
  const pick = (from: string) => from.charAt(randomInt(from.length));
  const characters = sets.map(pick);
  for (let i = characters.length; i < Math.max(policy.minLength, 16); i++) characters.push(pick(all));
  for (let i = characters.length - 1; i > 0; i--) {
    const other = randomInt(i + 1);
    [characters[i], characters[other]] = [characters[other] ?? '', characters[i] ?? ''];
  }
  return characters.join('');
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), key.toString('base64')].join('$');
}

/** Takes equally long for unknown users (no hash), so timing does not reveal who exists. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [scheme, N, r, p, salt = '', expected = ''] = (hash ?? unknownUserHash).split('$');
  if (scheme !== 'scrypt') throw new Error(`unknown password hash ${scheme}`);
  const key = await derive(password, Buffer.from(salt, 'base64'), { N: Number(N), r: Number(r), p: Number(p) });
  return timingSafeEqual(key, Buffer.from(expected, 'base64')) && hash !== undefined;
}

const unknownUserHash = `scrypt$${cost.N}$${cost.r}$${cost.p}$${'A'.repeat(22)}==$${Buffer.alloc(keyLength).toString('base64')}`;

function derive(password: string, salt: Buffer, options: typeof cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, keyLength, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

const freeAttempts = 5;
const maxWaitMs = 15 * 60_000;
const maxAccounts = 100_000;
/** No account has a longer name. */
const maxNameLength = 254;

/** A password check that was counted as wrong until it succeeds. */
interface Attempt {
  succeed(): void;
  end(): void;
}

/**
 * Delays sign-ins after five wrong passwords: one second, doubling up to 15 minutes, as in Cognito. An attempt counts when
 * it begins, so parallel attempts get no extra checks; the delay starts when the checks have ended.
 */
export class PasswordAttempts {
  private readonly clock: Clock;
  private readonly accounts = new LRUCache<string, { count: number; running: number; blockedUntilMs: number }>({
    // Unlike `max`, it reserves no memory.
    maxSize: maxAccounts,
    sizeCalculation: () => 1,
  });

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Undefined if the password must not be checked. */
  begin(name: string): Attempt | undefined {
    const key = name.slice(0, maxNameLength);
    const account = this.accounts.get(key) ?? { count: 0, running: 0, blockedUntilMs: 0 };
    const isWaiting = account.count >= freeAttempts && account.running > 0;
    if (isWaiting || account.blockedUntilMs > this.clock.now()) return undefined;
    account.count++;
    account.running++;
    this.accounts.set(key, account);
    return {
      succeed: () => {
        account.count = 0;
      },
      end: () => {
        account.running--;
        const waitMs = Math.min(1000 * 2 ** (account.count - freeAttempts), maxWaitMs);
        if (account.count >= freeAttempts) account.blockedUntilMs = this.clock.now() + waitMs;
        else if (account.count === 0 && account.running === 0) this.accounts.delete(key);
      },
    };
  }
}
