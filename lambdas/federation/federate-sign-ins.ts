import type { InboundFederationTriggerEvent, PreTokenGenerationTriggerEvent } from 'aws-lambda';
import type { AuditType } from '../../contract/audit.ts';
import type { Role } from '../../contract/roles.ts';
import { confirmedUntilAttribute, type SingleSignOn } from '../../contract/single-sign-on.ts';
import { createAuditEntry, recordAudit } from '../audit/audit-log.ts';
import { type Clock, toIso } from '../platform/clock.ts';
import { type Log, toErrorFields } from '../platform/log.ts';
import type { ItemStore } from '../records/item-store.ts';
import type { FederationDirectory, Person } from './federation-directory.ts';
import { type Claims, chooseRole, readSignInClaims } from './provider-claims.ts';
import type { ProviderSession, ProviderSessionStore } from './provider-session-store.ts';
import type { AskProvider } from './user-info.ts';

// Cognito calls this function after every sign-in with the identity provider, and before it creates tokens: at every
// sign-in and every refresh. The provider's word is valid for five minutes; then the next token needs a new one
// (docs/decisions/0145-single-sign-on.md). A thrown error ends the sign-in, and people read its message.

export interface FederationTools {
  directory: FederationDirectory;
  sessions: ProviderSessionStore;
  askProvider: AskProvider;
  settings: Pick<SingleSignOn, 'name' | 'roleMapping' | 'unmappedPeople'>;
  auditStore: Pick<ItemStore, 'transact'>;
  clock: Clock;
  log: Log;
}

export type FederationEvent = InboundFederationTriggerEvent | PreTokenGenerationTriggerEvent;

export async function federateSignIns(event: FederationEvent, tools: FederationTools): Promise<FederationEvent> {
  try {
    if (event.triggerSource === 'InboundFederation_ExternalProvider')
      return await acceptSignIn(event as InboundFederationTriggerEvent, tools);
    await confirmPerson(event as PreTokenGenerationTriggerEvent, tools);
    return event;
  } catch (error) {
    if (error instanceof SignInRejected) throw error;
    tools.log('error', 'a federated sign-in failed', { trigger: event.triggerSource, ...toErrorFields(error) });
    throw new Error('The sign-in could not be completed. Try again in a moment.');
  }
}

class SignInRejected extends Error {
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

const validMs = 5 * 60_000;

/** From the provider's response to the first token; a slow connection loads the console in between. */
const maxFirstTokenMs = 60_000;

/** If the provider does not respond, people who work on an incident keep their session for so long. */
const maxOutageMs = 60 * 60_000;

async function acceptSignIn(
  event: InboundFederationTriggerEvent,
  tools: FederationTools,
): Promise<InboundFederationTriggerEvent> {
  const { providerName: provider, attributes } = event.request;
  const claims = readSignInClaims(event);
  const { subject, email, name } = claims;
  const details = { provider, client_id: event.callerContext.clientId };
  try {
    const { person, role } = await admit(provider, claims, tools);
    const confirmedMs = tools.clock.now();
    const accessToken = attributes.tokenResponse?.access_token;
    await tools.sessions.save({ username: person.username, provider, subject, confirmedMs, accessToken });
    await markConfirmed(
      person.username,
      { ...(email && { email, email_verified: 'true' }), ...(name && { name }) },
      tools,
    );
    await record('federated_sign_in.succeeded', email, { ...details, role }, tools);
    const shared = { email: email ?? '', email_verified: 'true', ...(name && { name }) };
    event.response = { userAttributesToMap: { ...(attributes.idToken?.sub && { sub: subject }), ...shared } };
    return event;
  } catch (error) {
    if (error instanceof SignInRejected)
      await record('federated_sign_in.rejected', email, { ...details, reason: error.reason }, tools);
    throw error;
  }
}

/** Finds or creates the person's account, links it and gives it the role of the groups. */
async function admit(
  provider: string,
  claims: Claims,
  tools: FederationTools,
): Promise<{ person: Person; role: Role }> {
  const { directory, sessions, settings } = tools;
  const { subject, email, isEmailVerified, groups = [] } = claims;
  if (!email) throw new SignInRejected('no_email', `${provider} did not send your e-mail address.`);
  if (!isEmailVerified)
    throw new SignInRejected('unverified_email', `${provider} has not verified your e-mail address ${email}.`);
  const knownName = await sessions.findUsername(provider, subject);
  const known = knownName === undefined ? undefined : await directory.find(knownName);
  const existing = known ?? (await directory.findByEmail(email));
  const role = chooseRole(groups, settings);
  if (!role) {
    if (existing?.isFederated) await replaceRoles(existing.username, undefined, email, tools);
    throw rejectUnmapped();
  }
  if (existing && !existing.isEnabled)
    throw new SignInRejected('disabled', 'Your account is disabled. Ask an administrator.');
  if (existing && !existing.isFederated) await assertLinkable(existing, role, tools);
  const person = existing ?? (await directory.create(email));
  if (!known) await directory.link(person, provider, subject);
  await replaceRoles(person.username, role, email, tools);
  return { person, role };
}

/** A local administrator stays local: the mapping must not lock out the last one. */
async function assertLinkable(person: Person, role: Role, { directory }: FederationTools): Promise<void> {
  if (!person.isEmailVerified)
    throw new SignInRejected(
      'unverified_account',
      'The address of your existing account is not verified. Ask an administrator.',
    );
  const isAdministrator = (await directory.listRoles(person.username)).includes('super_admin');
  if (isAdministrator && role !== 'super_admin')
    throw new SignInRejected(
      'local_administrator',
      'Your address belongs to a local administrator. Sign in with the password.',
    );
}

function rejectUnmapped(): SignInRejected {
  return new SignInRejected(
    'no_mapped_group',
    'You are in no group that may use this service. Ask an administrator of your company.',
  );
}

/** Before tokens are created. A person who does not sign in with the provider needs no confirmation. */
async function confirmPerson({ userName, request }: PreTokenGenerationTriggerEvent, tools: FederationTools) {
  const { clock, sessions, askProvider, settings, directory } = tools;
  const { [confirmedUntilAttribute]: until, email } = request.userAttributes;
  if (until === undefined) return;
  const nowMs = clock.now();
  if (Date.parse(until) - nowMs > validMs - maxFirstTokenMs) return;
  const again = () => new SignInRejected('not_confirmed', `Sign in with ${settings.name} again.`);
  const session = await sessions.find(userName);
  if (!session?.accessToken) throw again();
  const answer = await askProvider(session.accessToken, session.subject);
  if (answer === 'unreachable' && nowMs - session.confirmedMs <= maxOutageMs) return markConfirmed(userName, {}, tools);
  if (typeof answer === 'string') throw again();
  const { groups } = answer;
  // The groups may be in the ID token only, which a new sign-in brings.
  if (!groups && (await directory.listRoles(userName)).some((role) => role !== 'viewer')) throw again();
  const role = chooseRole(groups ?? [], settings);
  await replaceRoles(userName, role, email, tools);
  if (!role) {
    await record('federated_sign_in.rejected', email, { provider: settings.name, reason: 'no_mapped_group' }, tools);
    throw rejectUnmapped();
  }
  await sessions.save({ ...session, confirmedMs: nowMs } satisfies ProviderSession);
  await markConfirmed(userName, {}, tools);
}

async function markConfirmed(
  username: string,
  attributes: Readonly<Record<string, string>>,
  { directory, clock }: FederationTools,
): Promise<void> {
  const until = toIso(clock.now() + validMs);
  const outcome = await directory.update(username, { ...attributes, [confirmedUntilAttribute]: until });
  if (outcome === 'taken')
    throw new SignInRejected('address_taken', 'Your new e-mail address belongs to another account.');
}

/** Takes roles away first: a failure in between must not leave too many. */
async function replaceRoles(
  username: string,
  role: Role | undefined,
  email: string | undefined,
  tools: FederationTools,
): Promise<void> {
  const before = await tools.directory.listRoles(username);
  const removed = before.filter((one) => one !== role);
  const isAdded = role !== undefined && !before.includes(role);
  if (removed.length === 0 && !isAdded) return;
  for (const one of removed) await tools.directory.removeRole(username, one);
  if (isAdded) await tools.directory.addRole(username, role);
  await record('role.changed', email, { from: before, to: role ? [role] : [], user_id: username }, tools);
}

/** A lost entry must not end the sign-in. */
async function record(
  type: AuditType,
  email: string | undefined,
  details: Record<string, string | string[]>,
  { auditStore, clock, log, settings }: FederationTools,
): Promise<void> {
  const isRole = type === 'role.changed';
  const person = email ?? 'unknown';
  const entry = createAuditEntry({
    type,
    at: toIso(clock.now()),
    actor: isRole ? settings.name : person,
    target: isRole ? person : null,
    details,
  });
  await recordAudit(auditStore, [entry]).catch((error: unknown) =>
    log('error', 'failed to record a federated sign-in in the audit log', { type, ...toErrorFields(error) }),
  );
}
