// A person's attributes, checked against the pool's schema.
import { AwsError } from '../aws/error.ts';
import type { Input } from '../aws/service.ts';
import { standardAttributes, type UserPool } from './user-pool.ts';
import type { User } from './user-store.ts';

export function newAttributes(pool: UserPool, username: string, given: Input): Record<string, string> {
  const attributes = readList(pool, given);
  if (pool.email === 'username') {
    if (!/^[^\s@]+@[^\s@]+$/.test(username)) throw invalid('Username should be an email.');
    attributes.email = username;
  }
  for (const [name, { required }] of pool.attributes) {
    if (required && attributes[name] === undefined) {
      throw invalid(`Attributes did not conform to the schema: ${name}: The attribute is required`);
    }
  }
  return attributes;
}

/** A changed address is not verified any more, unless the same call says so. An empty value removes an attribute. */
export function changedAttributes(pool: UserPool, user: User, given: Input): Record<string, string> {
  const changes = readList(pool, given);
  for (const name of Object.keys(changes)) {
    if (name === 'sub' || pool.attributes.get(name)?.mutable === false) {
      throw invalid(`user.${name}: Attribute cannot be updated.`);
    }
  }
  const attributes = { ...user.attributes, ...changes };
  for (const name of ['email', 'phone_number']) {
    if (changes[name] !== undefined && changes[name] !== user.attributes[name] && !changes[`${name}_verified`]) {
      attributes[`${name}_verified`] = 'false';
    }
  }
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== ''));
}

export function toAttributeList({ sub, attributes }: User): { Name: string; Value: string }[] {
  return Object.entries({ sub, ...attributes }).map(([Name, Value]) => ({ Name, Value }));
}

function readList(pool: UserPool, given: Input): Record<string, string> {
  if (given !== undefined && !Array.isArray(given)) throw invalid('UserAttributes must be a list');
  const attributes: Record<string, string> = {};
  for (const { Name, Value } of given ?? []) {
    if (!standardAttributes.has(Name) && !pool.attributes.has(Name)) {
      throw invalid(`Attributes did not conform to the schema: Type for attribute {${Name}} could not be determined`);
    }
    attributes[Name] = String(Value ?? '');
  }
  return attributes;
}

function invalid(message: string): AwsError {
  return new AwsError('InvalidParameterException', message);
}
