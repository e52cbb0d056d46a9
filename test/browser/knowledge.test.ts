import type { Browser } from 'playwright-core';
import { type Api, anIncident, apiOf } from '../support/incidents.ts';
import { type Service, startService } from '../support/service.ts';
import { findChromium, launchChromium, reportMissingChromium } from './chromium.ts';
import { personWith, signIn, visit } from './console-visit.ts';

const executable = findChromium();

describe('knowledge and notifications in the console', () => {
  if (executable) inBrowser(executable);
  else it('are not tested without a browser', () => reportMissingChromium());
});

function inBrowser(executablePath: string) {
  let service: Service;
  let browser: Browser;
  let manager: Api;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), launchChromium(executablePath)]);
    manager = await apiOf(service, 'manager');
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const signedIn = async (path: string, role: string) => {
    const visitor = await visit(browser, service, path);
    await signIn(visitor.page, personWith(service, role));
    return visitor;
  };

  it('lets a manager write, preview and publish an article, which a viewer then finds', async () => {
    const { page, complaints } = await signedIn('knowledge', 'itsm_manager');
    await page.getByRole('link', { name: 'Write article' }).click();
    await page.getByRole('button', { name: 'Save article' }).click();
    await page.getByText('Is required.').first().waitFor();
    await page.getByLabel('Title', { exact: true }).fill('Printer says 49.38');
    const body =
      '## Repair\n\n| Code | Means |\n|---|---|\n| 49.38 | <img src=x onerror=alert(1)> |\n\n[x](javascript:alert(1))';
    await page.getByRole('textbox', { name: 'Article', exact: true }).fill(body);
    await page.getByRole('button', { name: 'Preview: Article' }).click();
    await page.getByRole('cell', { name: '<img src=x onerror=alert(1)>' }).waitFor();
    await page.getByLabel('Tags').fill('printer, codes');
    await page.getByRole('button', { name: 'Save article' }).click();
    await page.getByText('This is a draft.').waitFor();
    expect(await page.getByRole('link', { name: 'x', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('button', { name: 'Take back' }).waitFor();

    const reader = await signedIn('knowledge', 'viewer');
    await reader.page.getByLabel('Search articles').fill('49.38 printer');
    await reader.page.getByRole('link', { name: 'Printer says 49.38' }).click();
    await reader.page.getByRole('heading', { name: 'Repair' }).waitFor();
    expect(await reader.page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    expect([...complaints, ...reader.complaints]).toEqual([]);
  });

  it('shows how much is new, follows groups and marks as read', async () => {
    await anIncident(manager, { assignment_group: 'night', notify_stakeholders: true });
    const { page, complaints } = await signedIn('notifications', 'itsm_agent');
    await page.getByText('There is nothing to tell you.').waitFor();
    await page.getByLabel('Assignment group').fill('night');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Follow', exact: true }).click();
    await page.getByRole('button', { name: 'Notifications, 1 not read' }).waitFor();
    await page.getByRole('button', { name: 'Mark as read' }).click();
    await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
    await page.getByText('Read', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });
}
