// The ground of all browser tests: one service and one Chromium per file. Signed-in pages get their tokens from the
// hosted login without going through its pages, which console.test.ts does, and share one browser context, so that the
// console's files are loaded and compiled once.
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
  /** A new tab of somebody who is signed in; options give it a browser profile of its own. */
  signedIn(path?: string, role?: string, options?: BrowserContextOptions): Promise<Visit>;
  /** The person who has the role. */
  person(role: string): Person;
  /** The interface as one of the demo clients uses it. */
  api(client: ClientName): Promise<Api>;
}

const viewport = { width: 1280, height: 900 };

/** A bound against hanging, not a measure: tests run beside each other on machines of any speed. */
const patienceMs = 120_000;

export function inConsole(name: string, tests: (console: Console) => void): void {
  const executable = findChromium();
  describe(name, () => {
    if (executable) tests(openConsole(executable));
    else it('is not tested without a browser', () => reportMissingChromium());
  });
}

function openConsole(executable: string): Console {
  let service: Service;
  let browser: Browser;
  // One per role: the tabs of a browser profile share the session.
  const shared = new Map<string, Promise<BrowserContext>>();
  const tokens = new Map<string, Promise<string>>();
  const person = (role: string): Person => {
    const found = service.credentials.users.find(({ roles }) => roles.includes(role));
    if (!found) throw new Error(`nobody has the role ${role}`);
    return found;
  };
  const tokensWith = (role: string): Promise<string> => {
    if (!tokens.has(role)) tokens.set(role, storedTokens(service, person(role)));
    return tokens.get(role)!;
  };

  const newContext = async (options?: BrowserContextOptions): Promise<BrowserContext> => {
    const context = await browser.newContext({ viewport, reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(patienceMs);
    return context;
  };
  const sharedContext = (role: string): Promise<BrowserContext> => {
    const context = shared.get(role) ?? newContext();
    shared.set(role, context);
    return context;
  };

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), launchChromium(executable)]);
  });
  afterEach(async () => {
    const kept = await Promise.all(shared.values());
    const own = browser.contexts().filter((context) => !kept.includes(context));
    await Promise.all([...own, ...kept.flatMap((context) => context.pages())].map((each) => each.close()));
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
    async signedIn(path = '', role = 'itsm_manager', options) {
      const context = await (options ? newContext(options) : sharedContext(role));
      const page = await context.newPage();
      await page.addInitScript(`localStorage["console.tokens"] ??= ${JSON.stringify(await tokensWith(role))}`);
      return open(page, service, path);
    },
    api: (client) => getApi(service, client),
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
