import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Person } from '../support/people.ts';
import type { Service } from '../support/service.ts';

/** One visitor with a fresh browser profile. */
export interface Visit {
  page: Page;
  /** What the browser complained about: errors of scripts and breaches of the content security policy. */
  complaints: string[];
}

export async function visit(
  browser: Browser,
  service: Service,
  path = '',
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
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

export async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Account' }).waitFor();
}

export function personWith(service: Service, role: string): Person {
  const person = service.credentials.users.find(({ roles }) => roles.includes(role));
  if (!person) throw new Error(`nobody has the role ${role}`);
  return person;
}
