// The ground of all browser tests: one service and one Chromium per file, which the parts of a file share. Signed-in people
// get their tokens from the hosted login without going through its pages, which console.test.ts does. Loading the console
// takes two seconds of processor time, so each person has one tab for all tests of a file, and the tab moves within the console.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { ClientName } from '../support/http.ts';
import { type Api, getApi } from '../support/incidents.ts';
import { getTokens, type Person } from '../support/people.ts';
import { type Service, startService } from '../support/service.ts';
import { findChromium, launchChromium, reportMissingChromium } from './chromium.ts';

export interface Visit {
  page: Page;
  /** What the browser complained about: errors of scripts and breaches of the content security policy. */
  complaints: string[];
}

export interface Console {
  readonly service: Service;
  /** A visitor with a fresh browser profile, not signed in. */
  visit(path?: string, options?: BrowserContextOptions): Promise<Visit>;
  /**
   * Moves the tab of a person, by role, to a path of the console. With options, loads the console in a new tab with a
   * browser profile of its own.
   */
  signedIn(path?: string, who?: string | Person, options?: BrowserContextOptions): Promise<Visit>;
  /** The person who has the role. */
  person(role: string): Person;
  /** The interface as one of the demo clients uses it. */
  api(client: ClientName): Promise<Api>;
  /** Moves a tab within the console, without loading it again. */
  move(tab: Visit, path: string): Promise<Visit>;
}

const viewport = { width: 1280, height: 900 };

/** A bound against hanging, not a measure: tests run beside each other on machines of any speed. */
const timeoutMs = 120_000;

let opened: Console | undefined;

export function inConsole(name: string, tests: (console: Console) => void): void {
  const executable = findChromium();
  if (executable) opened ??= openConsole(executable);
  describe(name, () => {
    if (opened) tests(opened);
    else it('is not tested without a browser', () => reportMissingChromium());
  });
}

function openConsole(executable: string): Console {
  let service: Service;
  let browser: Browser;
  const tabs = new Map<string, Visit>();
  const tokens = new Map<string, Promise<string>>();
  const person = (role: string): Person => {
    const found = service.credentials.users.find(({ roles }) => roles.includes(role));
    if (!found) throw new Error(`nobody has the role ${role}`);
    return found;
  };
  const getStoredTokens = (who: Person): Promise<string> => {
    const stored = tokens.get(who.email) ?? storedTokens(service, who);
    tokens.set(who.email, stored);
    return stored;
  };

  const newContext = async (options?: BrowserContextOptions): Promise<BrowserContext> => {
    const context = await browser.newContext({ viewport, reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(timeoutMs);
    return context;
  };
  const openSignedIn = async (path: string, who: Person, options?: BrowserContextOptions): Promise<Visit> => {
    const page = await (await newContext(options)).newPage();
    await page.addInitScript(`localStorage["console.tokens"] ??= ${JSON.stringify(await getStoredTokens(who))}`);
    return open(page, service, path);
  };

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), launchChromium(executable)]);
  });
  afterEach(async () => {
    for (const [email, tab] of tabs) if (!(await clearTab(tab))) tabs.delete(email);
    const kept = [...tabs.values()].map(({ page }) => page.context());
    const others = browser.contexts().filter((context) => !kept.includes(context));
    await Promise.all(others.map((context) => context.close()));
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  return {
    get service() {
      return service;
    },
    person,
    visit: async (path = '', options = {}) => open(await (await newContext(options)).newPage(), service, path),
    async signedIn(path = '', who = 'itsm_manager', options) {
      const someone = typeof who === 'string' ? person(who) : who;
      if (options) return openSignedIn(path, someone, options);
      const tab = tabs.get(someone.email);
      if (tab) return moveTab(tab, path);
      const opened = await openSignedIn(path, someone);
      tabs.set(someone.email, opened);
      return opened;
    },
    api: (client) => getApi(service, client),
    move: moveTab,
  };
}

/** What the console keeps of a sign-in. */
async function storedTokens(service: Service, person: Person): Promise<string> {
  const tokens = await getTokens(service, person);
  return JSON.stringify({ ...tokens, renew_at: Date.now() + Number(tokens.expires_in) * 900 });
}

async function open(page: Page, service: Service, path: string): Promise<Visit> {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    const { url } = message.location();
    // The hosted login is not ours, and browsers ask for its icon unasked.
    if (message.type() === 'error' && !url.endsWith('/favicon.ico')) complaints.push(`${message.text()} ${url}`);
  });
  await page.goto(`${service.baseUrl}/console/${path}`);
  return { page, complaints };
}

/** Leaves the page first, since the next one may be the same with another query. */
async function moveTab(tab: Visit, path: string): Promise<Visit> {
  await leavePage(tab.page);
  await pushAddress(tab.page, path);
  await tab.page.evaluate(`dispatchEvent(new PopStateEvent('popstate', { state: history.state }))`);
  return tab;
}

/** To an address without a page: nothing is loaded, refreshed or unsaved there. */
async function leavePage(page: Page): Promise<void> {
  await pushAddress(page, 'none');
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
}

/** The console numbers the entries of the history. */
async function pushAddress(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState({ position: (history.state?.position ?? 0) + 1 }, '', '/console/${path}')`);
}

/** Makes the tab ready for the next test, or returns false where the test has ended its session. */
async function clearTab({ page, complaints }: Visit): Promise<boolean> {
  await page.context().setOffline(false);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.setViewportSize(viewport);
  page.removeAllListeners('dialog').removeAllListeners('request');
  const isSignedIn = await page.evaluate(`{
    const tokens = localStorage['console.tokens'];
    localStorage.clear();
    if (tokens) localStorage['console.tokens'] = tokens;
    tokens !== undefined;
  }`);
  if (!isSignedIn) return false;
  await leavePage(page);
  // All at once: a notice may also disappear by itself.
  await page.getByRole('button', { name: 'Dismiss', exact: true }).evaluateAll((buttons) => {
    for (const button of buttons) (button as unknown as { click(): void }).click();
  });
  complaints.length = 0;
  const others = page
    .context()
    .pages()
    .filter((other) => other !== page);
  await Promise.all(others.map((other) => other.close()));
  return true;
}

/** Through the pages of the hosted login. */
export async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Account' }).waitFor();
}

/** Finds a configuration item by a text and chooses it, or the text itself. */
export async function pickItem(page: Page, label: string, text: string, option?: RegExp): Promise<void> {
  await page.getByRole('button', { name: label }).first().click();
  await page.getByLabel(`Find ${label}`).fill(text);
  await page.getByRole('option', { name: option ?? `Use “${text}”` }).click();
}
