import type { Page } from 'playwright-core';

/** A state of the console that axe checks. */
export interface View {
  name: string;
  path: string;
  /** Small screens do not have it. */
  isWide?: true;
  /** Brings the page into the state to check. */
  prepare?(page: Page): Promise<void>;
  /** Opens a dialog. */
  open?(page: Page): Promise<void>;
}

export const toDialog = (path: string, name: string, open: (page: Page) => Promise<void>): View => ({
  name: `/${path} dialog ${name}`,
  path,
  open,
});

export const clickButton = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).first().click();
