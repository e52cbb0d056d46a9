// `npm run users -- backup <user pool> <file>` writes the people of a user pool with their groups; `restore` creates them
// in another pool. Cognito never returns passwords, so restored people get an invitation. AWS_ENDPOINT_URL selects a local
// server.
import { readFileSync, writeFileSync } from 'node:fs';
import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  AdminDisableUserCommand,
  CognitoIdentityProviderClient,
  CreateGroupCommand,
  paginateListGroups,
  paginateListUsers,
  paginateListUsersInGroup,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';
import * as z from 'zod';
import { runTool, UsageError } from './tool.ts';

const usage =
  'Usage: npm run users -- backup|restore <user pool id> <file>, such as backup us-east-1_Ab12Cd34E users.json.';

const attribute = z.object({ Name: z.string(), Value: z.string() });
const backupFile = z.object({
  users: z.array(z.object({ email: z.email(), enabled: z.boolean(), attributes: z.array(attribute) })),
  groups: z.array(z.object({ name: z.string(), description: z.string().optional(), members: z.array(z.string()) })),
});

type Backup = z.infer<typeof backupFile>;

await runTool(async ([command, pool, file, ...others]) => {
  if (!pool || !file || others.length > 0) throw new UsageError(usage);
  const client = new CognitoIdentityProviderClient({ maxAttempts: 5 });
  if (command === 'backup') {
    const backup = await readPool(client, pool);
    // The file has names and addresses of people.
    writeFileSync(file, `${JSON.stringify(backup, null, 2)}\n`, { mode: 0o600 });
    console.log(`${file} has ${backup.users.length} users and ${backup.groups.length} groups of ${pool}.`);
  } else if (command === 'restore') {
    const backup = backupFile.parse(JSON.parse(readFileSync(file, 'utf8')));
    console.log(`Created ${await restorePool(client, pool, backup)} of ${backup.users.length} users in ${pool}.`);
  } else throw new UsageError(usage);
});

async function readPool(client: CognitoIdentityProviderClient, UserPoolId: string): Promise<Backup> {
  const emails = new Map<string, string>();
  const backup: Backup = { users: [], groups: [] };
  for await (const { Users = [] } of paginateListUsers({ client }, { UserPoolId })) {
    for (const { Username = '', Attributes = [], Enabled = true } of Users) {
      const all = Attributes.map(({ Name = '', Value = '' }) => ({ Name, Value }));
      const email = all.find(({ Name }) => Name === 'email')?.Value ?? '';
      emails.set(Username, email);
      // The pool chooses the id of a new user.
      backup.users.push({ email, enabled: Enabled, attributes: all.filter(({ Name }) => Name !== 'sub') });
    }
  }
  for await (const { Groups = [] } of paginateListGroups({ client }, { UserPoolId })) {
    for (const { GroupName = '', Description: description } of Groups) {
      const members: string[] = [];
      for await (const { Users = [] } of paginateListUsersInGroup({ client }, { UserPoolId, GroupName })) {
        members.push(...Users.map(({ Username = '' }) => emails.get(Username) ?? Username));
      }
      backup.groups.push({ name: GroupName, ...(description && { description }), members });
    }
  }
  return backup;
}

/** Returns how many users are new. Running it again completes what is missing. */
async function restorePool(client: CognitoIdentityProviderClient, UserPoolId: string, backup: Backup): Promise<number> {
  let created = 0;
  for (const { email, enabled, attributes } of backup.users) {
    const user = { UserPoolId, Username: email };
    const isNew = await client
      .send(new AdminCreateUserCommand({ ...user, UserAttributes: attributes, DesiredDeliveryMediums: ['EMAIL'] }))
      .then(
        () => true,
        (error: unknown) => {
          if (error instanceof UsernameExistsException) return false;
          throw error;
        },
      );
    if (isNew) created++;
    if (!enabled) await client.send(new AdminDisableUserCommand(user));
  }
  const existing = new Set<string>();
  for await (const { Groups = [] } of paginateListGroups({ client }, { UserPoolId })) {
    for (const { GroupName = '' } of Groups) existing.add(GroupName);
  }
  for (const { name, description, members } of backup.groups) {
    const group = { UserPoolId, GroupName: name };
    if (!existing.has(name)) await client.send(new CreateGroupCommand({ ...group, Description: description }));
    for (const Username of members) await client.send(new AdminAddUserToGroupCommand({ ...group, Username }));
  }
  return created;
}
