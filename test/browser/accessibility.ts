// Runs axe on pages and dialogs of the console. All of them, on wide and narrow screens and in both themes, take minutes
// (`npm run accessibility`), so `npm test` checks one of each kind in a combination that changes from page to page.
// ACCESSIBILITY=ask instead of `all` checks the views with this word in their names.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import type { View } from './accessibility-view.ts';
import { listViews } from './accessibility-views.ts';
import type { Console, Visit } from './in-console.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const { ACCESSIBILITY: wanted } = process.env;
const checksAll = wanted !== undefined;

const wide = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
const themes = ['light', 'dark'] as const;

/** Returns the serious and critical findings, and the views that did not open. */
export async function checkAccessibility(the: Console): Promise<string[]> {
  const isWanted = ({ name }: View) => wanted === undefined || wanted === 'all' || name.includes(wanted);
  const views = (await listViews(the, checksAll)).filter(isWanted);
  // Only the full check has views for administrators; the tab of the manager is open.
  const tab = await the.signedIn('none', checksAll ? 'super_admin' : 'itsm_manager');
  const findings: string[] = [];
  for (const [place, viewport] of [wide, phone].entries()) {
    await tab.page.setViewportSize(viewport);
    for (const [index, view] of views.entries()) {
      if ((!checksAll && place !== index % 2) || (view.isWide && viewport === phone)) continue;
      const chosen = themes.filter((_, theme) => checksAll || theme === Math.floor(index / 2) % 2);
      const found = await checkView(the, tab, view, chosen);
      const label = `${view.name} ${viewport.width}`;
      if (checksAll) process.stderr.write(`${index + 1} of ${views.length}: ${label}, ${found.length} findings\n`);
      findings.push(...found.map((finding) => `${label} ${finding}`));
    }
  }
  await setTheme(tab.page, 'light');
  return [...findings, ...tab.complaints.filter((text) => !text.includes('status of 412'))];
}

/** In the full check, a view that does not open is a finding, so that the others are still checked. */
async function checkView(the: Console, tab: Visit, view: View, chosen: readonly Theme[]): Promise<string[]> {
  if (!checksAll) return showAndCheck(the, tab, view, chosen);
  tab.page.setDefaultTimeout(maxOpenMs);
  try {
    return await showAndCheck(the, tab, view, chosen);
  } catch (error) {
    await tab.page.keyboard.press('Escape');
    return [`did not open: ${String(error).slice(0, 300)}`];
  }
}

const maxOpenMs = 15_000;

type Theme = (typeof themes)[number];

async function showAndCheck(the: Console, tab: Visit, view: View, chosen: readonly Theme[]): Promise<string[]> {
  const { page } = await the.move(tab, view.path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  await view.prepare?.(page);
  const dialog = page.getByRole('dialog').last();
  await view.open?.(page);
  if (view.open) await dialog.waitFor();
  const findings: string[] = [];
  for (const theme of chosen) {
    for (const finding of await listFindings(page, theme)) findings.push(`${theme}: ${finding}`);
  }
  // The shell keeps the search dialog and the menus of the top bar open on the next page.
  await page.keyboard.press('Escape');
  if (view.open) await dialog.waitFor({ state: 'detached' });
  return findings;
}

interface Violation {
  id: string;
  impact: string;
  nodes: { html: string }[];
}

async function setTheme(page: Page, theme: Theme): Promise<void> {
  await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
}

/** The serious and critical findings of axe on what the page shows. */
export async function listFindings(page: Page, theme: Theme): Promise<string[]> {
  await setTheme(page, theme);
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(axe);
  const found = await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] })
      .then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact, nodes })))`,
  );
  return (found as Violation[])
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id} ${html.slice(0, 200)}`));
}
