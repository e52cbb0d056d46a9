// Demo people and the secrets of the demo clients, read from or written to the local user pool through its own API.
import { randomBytes } from 'node:crypto';
import type { Runtime } from '../local/runtime.ts';

export const demoRoles = {
  admin: 'super_admin',
  manager: 'itsm_manager',
  agent: 'itsm_agent',
  viewer: 'viewer',
} as const;

export interface DemoUser {
  email: string;
  password: string;
  roles: string[];
}

export interface DemoClient {
  client_id: string;
  client_secret: string;
}

export interface UserPool extends Pick<Runtime, 'callAws'> {
  userPoolId: string;
}

/** Creates one person per role, or gives the ones that exist new passwords when the old ones are not known. */
export async function ensureDemoUsers(pool: UserPool): Promise<DemoUser[]> {
  return Promise.all(Object.entries(demoRoles).map(([name, role]) => createPerson(pool, `${name}@example.com`, role)));
}

async function createPerson(pool: UserPool, email: string, role: string): Promise<DemoUser> {
  const user = { email, password: createReadablePassword(), roles: [role] };
  await createUser(pool, email);
  const target = { Username: email, UserPoolId: pool.userPoolId };
  await callCognito(pool, 'AdminSetUserPassword', { ...target, Password: user.password, Permanent: true });
  await callCognito(pool, 'AdminAddUserToGroup', { ...target, GroupName: role });
  return user;
}

/** The first account of a server without a demo; the password is known only when this creates the account. */
export async function ensureAdministrator(
  pool: UserPool,
  email: string,
): Promise<{ email: string; password: string | undefined }> {
  const { Users } = (await callCognito(pool, 'ListUsersInGroup', {
    UserPoolId: pool.userPoolId,
    GroupName: demoRoles.admin,
  })) as { Users: { Attributes?: { Name: string; Value: string }[] }[] };
  const [existing] = Users;
  if (existing) {
    const address = existing.Attributes?.find(({ Name }) => Name === 'email')?.Value;
    return { email: address ?? email, password: undefined };
  }
  return createPerson(pool, email, demoRoles.admin);
}

export async function readClient(pool: UserPool, clientId: string): Promise<DemoClient> {
  const answer = await callCognito(pool, 'DescribeUserPoolClient', { UserPoolId: pool.userPoolId, ClientId: clientId });
  const { ClientSecret } = (answer as { UserPoolClient: { ClientSecret: string } }).UserPoolClient;
  return { client_id: clientId, client_secret: ClientSecret };
}

async function createUser(pool: UserPool, email: string): Promise<void> {
  const attributes = [
    { Name: 'email', Value: email },
    { Name: 'email_verified', Value: 'true' },
  ];
  const input = { UserPoolId: pool.userPoolId, Username: email, UserAttributes: attributes, MessageAction: 'SUPPRESS' };
  await callCognito(pool, 'AdminCreateUser', input).catch((error: Error) => {
    if ((error as { code?: string }).code !== 'UsernameExistsException') throw error;
  });
}

function callCognito({ callAws }: UserPool, operation: string, input: unknown): Promise<unknown> {
  return callAws('cognito-idp', operation, input);
}

function createReadablePassword(): string {
  return `${randomBytes(9).toString('base64url').replaceAll(/[-_]/g, 'x')}-Aa1!`;
}
