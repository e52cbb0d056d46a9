// Passwords: the pool's policy, with AWS's words for what is missing, and scrypt for what is kept.
import { randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto';
import { AwsError } from '../aws/error.ts';
import type { Properties } from '../template/resource-type.ts';

export interface PasswordPolicy {
  minimumLength: number;
  lowercase: boolean;
  uppercase: boolean;
  numbers: boolean;
  symbols: boolean;
  temporaryDays: number;
}

const symbols = '^$*.[]{}()?"!@#%&/\\,><\':;|_~`=+-';
const maximumLength = 256;
const cost = { N: 16_384, r: 8, p: 1 };
const keyLength = 32;

export function readPasswordPolicy(properties: Properties): PasswordPolicy {
  // A pool without a policy gets AWS's strict one; a policy without a rule does not have that rule.
  const strict = properties === undefined;
  const rule = (value: unknown) => strict || value === true || value === 'true';
  return {
    minimumLength: Number(properties?.MinimumLength ?? 8),
    lowercase: rule(properties?.RequireLowercase),
    uppercase: rule(properties?.RequireUppercase),
    numbers: rule(properties?.RequireNumbers),
    symbols: rule(properties?.RequireSymbols),
    temporaryDays: Number(properties?.TemporaryPasswordValidityDays ?? 7),
  };
}

/** Throws InvalidPasswordException unless the password meets the policy. */
export function checkPassword(policy: PasswordPolicy, password: unknown): asserts password is string {
  const problem = passwordProblem(policy, password);
  if (problem) throw new AwsError('InvalidPasswordException', `Password did not conform with policy: ${problem}`);
}

export function passwordProblem(policy: PasswordPolicy, password: unknown): string | undefined {
  if (typeof password !== 'string' || password.length < policy.minimumLength) return 'Password not long enough';
  if (password.length > maximumLength) return 'Password too long';
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
  for (let i = characters.length; i < Math.max(policy.minimumLength, 16); i++) characters.push(pick(all));
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

/** Takes as long for somebody who does not exist (no hash) as for somebody who does. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [scheme, N, r, p, salt = '', expected = ''] = (hash ?? nobody).split('$');
  if (scheme !== 'scrypt') throw new Error(`unknown password hash ${scheme}`);
  const key = await derive(password, Buffer.from(salt, 'base64'), { N: Number(N), r: Number(r), p: Number(p) });
  return timingSafeEqual(key, Buffer.from(expected, 'base64')) && hash !== undefined;
}

const nobody = `scrypt$${cost.N}$${cost.r}$${cost.p}$${'A'.repeat(22)}==$${Buffer.alloc(keyLength).toString('base64')}`;

function derive(password: string, salt: Buffer, options: typeof cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, keyLength, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
