// The Filter of ListUsers: one attribute, equal to a value or starting with it.
import { AwsError } from '../aws/error.ts';
import type { User } from './user-store.ts';

const searchable: Record<string, (user: User) => string | undefined> = {
  username: ({ username }) => username,
  sub: ({ sub }) => sub,
  'cognito:user_status': ({ status }) => status,
  status: ({ enabled }) => (enabled ? 'Enabled' : 'Disabled'),
};
for (const name of ['email', 'phone_number', 'name', 'given_name', 'family_name', 'preferred_username']) {
  searchable[name] = ({ attributes }) => attributes[name];
}

export function readFilter(filter: unknown): (user: User) => boolean {
  if (filter === undefined || filter === '') return () => true;
  const [, name = '', operator, quoted = ''] =
    /^\s*([\w:]+)\s*(\^?=)\s*"((?:[^"\\]|\\.)*)"\s*$/.exec(String(filter)) ?? [];
  const read = searchable[name];
  if (operator === undefined || !read) {
    throw new AwsError('InvalidParameterException', `Error while parsing filter: ${String(filter)}`);
  }
  const wanted = quoted.replace(/\\(.)/g, '$1');
  return operator === '=' ? (user) => read(user) === wanted : (user) => read(user)?.startsWith(wanted) ?? false;
}
