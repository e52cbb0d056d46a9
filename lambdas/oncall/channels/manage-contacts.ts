import { hash } from 'node:crypto';
import { type ContactKind, chatKinds } from '../../../contract/contact-kinds.ts';
import {
  type ContactMethodCreation,
  type ContactMethodView,
  maxCodeTries,
  maxContactMethods,
  type NotificationRulesUpdate,
  type NotificationRulesView,
} from '../../../contract/contact-methods.ts';
import { apiPrefixes, stageName } from '../../../contract/http.ts';
import type { routes } from '../../../contract/routes.ts';
import type { Caller } from '../../platform/caller.ts';
import { toIso } from '../../platform/clock.ts';
import type { UseCase } from '../../platform/http/response.ts';
import { newId } from '../../platform/ids.ts';
import { type Limiter, toRetryAfterSeconds } from '../../platform/rate-limit/limiter.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { invalidField, ServiceError, summarize } from '../../platform/service-error.ts';
import { notFound } from '../../records/change-record.ts';
import type { ItemStore } from '../../records/item-store.ts';
import { createAddressRule, findReceiverProblem, type LoopbackRule } from '../../webhooks/outbound/receiver-address.ts';
import type { Channels } from './channels.ts';
import {
  type ContactMethod,
  changeContacts,
  findContacts,
  isCode,
  type LastUse,
  listUsable,
  listUses,
  newCode,
  toAccountMethod,
} from './contacts.ts';
import { toMessageKey } from './message.ts';
import type { MessageRequest, Messages } from './messages.ts';
import { toEffectiveRules } from './plan.ts';

// Operations on the caller's own contact methods and rules.

type Store = Pick<ItemStore, 'get' | 'transact' | 'range'>;

interface CodeTools {
  channels: Channels;
  limiter: Limiter;
}

export function getContactMethods(
  store: Pick<Store, 'get' | 'range'>,
  available: readonly ContactKind[],
): UseCase<typeof routes.getContactMethods> {
  return async (_input, { caller }) => {
    const [{ methods }, uses] = await Promise.all([findContacts(store, caller.email), listUses(store, caller.email)]);
    const account = findAccount(caller);
    const all = [...(account && available.includes('email') ? [toAccountMethod(account)] : []), ...methods];
    const contact_methods = all.map((method) => toView(method, uses.get(method.id)));
    return { status: 200, body: { contact_methods, available_kinds: [...available] } };
  };
}

/** Stores the method before its code is sent. A code that cannot be sent leaves a method that can get another one. */
export function createContactMethod(
  store: Pick<Store, 'get' | 'transact'>,
  {
    box,
    loopback,
    available,
    ...tools
  }: CodeTools & {
    box: Pick<SecretBox, 'seal'>;
    loopback: LoopbackRule;
    available: readonly ContactKind[];
  },
): UseCase<typeof routes.createContactMethod> {
  return async ({ body }, { caller, clock }) => {
    assertAvailable(body, available);
    if (isChat(body.kind)) assertReceiver(body.address, loopback);
    else await assertMaySendCode(body.address, caller, tools.limiter, clock.now());
    const nowMs = clock.now();
    const id = newId('contactMethod');
    const { code, stored } = newCode(nowMs);
    const method: ContactMethod = {
      id,
      kind: body.kind,
      label: body.label,
      address: isChat(body.kind) ? await box.seal(id, body.address) : body.address,
      shown: isChat(body.kind) ? `${new URL(body.address).host}/…` : body.address,
      created_at: toIso(nowMs),
      verified_at: isChat(body.kind) ? toIso(nowMs) : null,
      code: isChat(body.kind) ? null : stored,
    };
    await changeContacts(store, caller.email, (before) => {
      assertNew(body, before.methods, findAccount(caller));
      if (before.methods.length + 1 >= maxContactMethods) {
        throw new ServiceError('limit_reached', `A person has at most ${maxContactMethods} contact methods.`);
      }
      return { after: { ...before, methods: [...before.methods, method] }, result: undefined };
    });
    if (method.code) await sendCode(method, code, tools.channels);
    const Location = `/${stageName}${apiPrefixes[0]}/me/contact-methods/${id}`;
    return { status: 201, headers: { Location }, body: toView(method) };
  };
}

export function deleteContactMethod(
  store: Pick<Store, 'get' | 'transact'>,
): UseCase<typeof routes.deleteContactMethod> {
  return async ({ params: { id } }, { caller }) => {
    await changeContacts(store, caller.email, (before) => {
      findMethod(before.methods, id, caller);
      return { after: { ...before, methods: before.methods.filter((each) => each.id !== id) }, result: undefined };
    });
    return { status: 204 };
  };
}

/** A wrong code is counted before the response, so parallel guesses do not get more tries. */
export function verifyContactMethod(
  store: Pick<Store, 'get' | 'transact'>,
): UseCase<typeof routes.verifyContactMethod> {
  return async ({ params: { id }, body }, { caller, clock }) => {
    const { method, problem } = await changeContacts(store, caller.email, (before) => {
      const known = findMethod(before.methods, id, caller);
      const { method, problem } = applyCode(known, body.code, clock.now());
      const methods = before.methods.map((each) => (each.id === id ? method : each));
      return { after: { ...before, methods }, result: { method, problem } };
    });
    if (problem) throw problem;
    return { status: 200, body: toView(method) };
  };
}

function applyCode(
  method: ContactMethod,
  given: string,
  nowMs: number,
): { method: ContactMethod; problem?: ServiceError } {
  const { code, verified_at } = method;
  if (verified_at !== null) return { method };
  if (!code || code.expires_ms <= nowMs)
    return { method, problem: invalidField('code', 'has expired; request a new one') };
  if (code.tries >= maxCodeTries) {
    const problem = new ServiceError('limit_reached', `A code has ${maxCodeTries} tries. Request a new code.`);
    return { method, problem };
  }
  if (isCode(given, code)) return { method: { ...method, verified_at: toIso(nowMs), code: null } };
  const tries = code.tries + 1;
  const problem = invalidField('code', `is wrong; ${maxCodeTries - tries} tries are left`);
  return { method: { ...method, code: { ...code, tries } }, problem };
}

export function sendContactCode(
  store: Pick<Store, 'get' | 'transact'>,
  { channels, limiter }: CodeTools,
): UseCase<typeof routes.sendContactCode> {
  return async ({ params: { id } }, { caller, clock }) => {
    const known = findMethod((await findContacts(store, caller.email)).methods, id, caller);
    if (known.verified_at !== null) return { status: 200, body: toView(known) };
    await assertMaySendCode(known.address, caller, limiter, clock.now());
    const { code, stored } = newCode(clock.now());
    const method = await changeContacts(store, caller.email, (before) => {
      const current = { ...findMethod(before.methods, id, caller), code: stored };
      const methods = before.methods.map((each) => (each.id === id ? current : each));
      return { after: { ...before, methods }, result: current };
    });
    await sendCode(method, code, channels);
    return { status: 200, body: toView(method) };
  };
}

export function testContactMethod(
  store: Pick<Store, 'get'>,
  tools: TestTools,
): UseCase<typeof routes.testContactMethod> {
  return async ({ params: { id } }, { caller, clock, requestId }) => {
    const usable = listUsable(findAccount(caller), await findContacts(store, caller.email), tools.available);
    const method = usable.find((each) => each.id === id);
    if (!method) throw notFound(id);
    return sendTest({ caller, requestId, nowMs: clock.now(), method_id: id }, tools);
  };
}

export function testNotificationRules(tools: TestTools): UseCase<typeof routes.testNotificationRules> {
  return async (_input, { caller, clock, requestId }) => sendTest({ caller, requestId, nowMs: clock.now() }, tools);
}

export interface TestTools {
  messages: Messages;
  limiter: Limiter;
  available: readonly ContactKind[];
}

const testLimit = { limit: 20, windowSeconds: 3_600 };

async function sendTest(
  { caller, requestId, nowMs, method_id }: { caller: Caller; requestId: string; nowMs: number; method_id?: string },
  { messages, limiter }: TestTools,
) {
  await assertWithin(`test-message#${caller.id}`, testLimit, limiter, nowMs);
  const request: MessageRequest = {
    id: `test ${requestId}`,
    to: caller.email,
    urgency: 'page',
    record_id: null,
    title: 'This is a test',
    reason: 'You asked for it in your settings. There is nothing to do.',
    ...(method_id !== undefined && { method_id }),
  };
  await messages.request([request]);
  return { status: 202 as const, body: { message_id: toMessageKey(request).id } };
}

export function getNotificationRules(
  store: Pick<Store, 'get'>,
  available: readonly ContactKind[],
): UseCase<typeof routes.getNotificationRules> {
  return async (_input, { caller }) => {
    const contacts = await findContacts(store, caller.email);
    const usable = listUsable(findAccount(caller), contacts, available);
    return { status: 200, body: toRulesView(contacts.rules, usable) };
  };
}

export function updateNotificationRules(
  store: Pick<Store, 'get' | 'transact'>,
  available: readonly ContactKind[],
): UseCase<typeof routes.updateNotificationRules> {
  return async ({ body }, { caller }) => {
    const rules = await changeContacts(store, caller.email, (before) => {
      const usable = listUsable(findAccount(caller), before, available);
      assertKnownMethods(body, usable);
      return { after: { ...before, rules: body }, result: toRulesView(body, usable) };
    });
    return { status: 200, body: rules };
  };
}

function assertKnownMethods(rules: NotificationRulesUpdate, usable: readonly ContactMethod[]): void {
  const ids = new Set(usable.map(({ id }) => id));
  const problems = (['pages', 'notifications'] as const).flatMap((name) =>
    (rules[name] ?? []).flatMap(({ method_id }, place) =>
      ids.has(method_id)
        ? []
        : [{ field: `${name}[${place}].method_id`, message: 'is not a verified contact method of yours' }],
    ),
  );
  if (problems.length > 0) {
    throw new ServiceError('invalid_input', summarize(problems), { members: { errors: problems } });
  }
}

function toRulesView(rules: NotificationRulesUpdate, usable: readonly ContactMethod[]): NotificationRulesView {
  const { pages, notifications, topics } = toEffectiveRules(rules, usable);
  return {
    pages,
    notifications,
    topics: [...topics],
    is_default: {
      pages: rules.pages === null,
      notifications: rules.notifications === null,
      topics: rules.topics === null,
    },
  };
}

/** A program has an address without a mailbox. */
function findAccount({ kind, email }: Caller): string | undefined {
  return kind === 'user' ? email : undefined;
}

function findMethod(methods: readonly ContactMethod[], id: string, caller: Caller): ContactMethod {
  const found = methods.find((each) => each.id === id);
  if (found) return found;
  const account = findAccount(caller);
  if (account && toAccountMethod(account).id === id) {
    throw new ServiceError(
      'limit_reached',
      'The address of the account is always a contact method. Leave it out of the rules.',
    );
  }
  throw notFound(id);
}

function assertAvailable({ kind }: ContactMethodCreation, available: readonly ContactKind[]): void {
  if (available.includes(kind)) return;
  throw invalidField('kind', `is not set up in this deployment; it can send to ${available.join(', ')}`);
}

function assertReceiver(url: string, loopback: LoopbackRule): void {
  const problem = findReceiverProblem(new URL(url), createAddressRule(loopback), loopback);
  if (problem) throw invalidField('address', problem);
}

/** The URLs of webhooks are sealed and cannot be compared. */
function assertNew(
  { kind, address }: ContactMethodCreation,
  methods: readonly ContactMethod[],
  account?: string,
): void {
  const isSame = (each: Pick<ContactMethod, 'kind' | 'address'>) =>
    each.kind === kind && each.address.toLowerCase() === address.toLowerCase();
  if (methods.some(isSame) || (account !== undefined && isSame(toAccountMethod(account)))) {
    throw invalidField('address', 'is already one of your contact methods');
  }
}

function isChat(kind: ContactKind): boolean {
  return chatKinds.some((each) => each === kind);
}

const codeLimit = { limit: 5, windowSeconds: 3_600 };

/** Limits codes per person and per address, because text messages cost money and unwanted mail harms the sender. */
async function assertMaySendCode(address: string, caller: Caller, limiter: Limiter, nowMs: number): Promise<void> {
  await assertWithin(`contact-code#${caller.id}`, codeLimit, limiter, nowMs);
  await assertWithin(`contact-code#to#${hash('sha256', address.toLowerCase(), 'hex')}`, codeLimit, limiter, nowMs);
}

async function assertWithin(key: string, limit: typeof codeLimit, limiter: Limiter, nowMs: number): Promise<void> {
  const verdict = await limiter.take(key, limit);
  if (verdict.admitted) return;
  const seconds = toRetryAfterSeconds(verdict, nowMs);
  throw new ServiceError('rate_limited', `At most ${limit.limit} messages per hour. Try again in ${seconds} seconds.`, {
    headers: { 'Retry-After': String(seconds) },
  });
}

async function sendCode({ id, kind, address }: ContactMethod, code: string, channels: Channels): Promise<void> {
  const result = await channels.send(kind, address, {
    id,
    urgency: 'notification',
    title: `Your code is ${code}`,
    text: 'Enter it in your settings within 10 minutes. If you did not ask for it, ignore this message.',
    links: [],
  });
  if (result.kind === 'failed') {
    throw new ServiceError('unavailable', `The code could not be sent: ${result.error}`, {
      headers: { 'Retry-After': '30' },
    });
  }
}

function toView(method: ContactMethod, lastUse?: LastUse): ContactMethodView {
  const { id, kind, label, shown, created_at, verified_at, code } = method;
  return {
    id,
    kind,
    address: shown,
    label,
    is_account: created_at === '',
    is_verified: verified_at !== null,
    created_at: created_at === '' ? null : created_at,
    code_expires_at: code ? toIso(code.expires_ms) : null,
    last_delivery: lastUse ?? null,
  };
}
