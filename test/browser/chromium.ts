import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** CHROME_PATH, or the first Chromium or Chrome on the PATH. */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  if (environment.CHROME_PATH) return environment.CHROME_PATH;
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/**
 * The suggestions of the address bar are web pages, whose renderers take half a second of processor time per window. The
 * other features are those that Playwright disables, since only the last list counts.
 */
const disabledFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/** Each launch has a profile of its own, which goes with it. */
export async function launchChromium(executablePath: string): Promise<Browser> {
  const { chromium } = await loadPlaywright();
  const args = ['--no-sandbox', '--disable-background-networking', `--disable-features=${disabledFeatures.join()}`];
  return chromium.launch({ executablePath, args });
}

type Playwright = typeof import('playwright-core');

/** Jest would load Playwright again for every file, which takes two seconds; Node's own loader keeps it per worker. */
async function loadPlaywright(): Promise<Playwright> {
  const nodeModule = process.getBuiltinModule?.('node:module');
  if (!nodeModule) return import('playwright-core');
  return nodeModule.createRequire(import.meta.url)('playwright-core');
}

/** Says that nothing was tested, or fails where the environment insists on browser tests (BROWSER_TESTS=required). */
export function reportMissingChromium(environment: NodeJS.ProcessEnv = process.env): void {
  const notice =
    'No Chromium was found: the console was NOT tested in a browser. ' +
    `Install one of ${names.join(', ')}, or let CHROME_PATH name one.`;
  if (environment.BROWSER_TESTS === 'required') throw new Error(notice);
  console.warn(notice);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
