import { matchPath, type PathParameters } from '../location.ts';
import { assistantPages } from './assistant/pages.ts';
import { changePages } from './changes/pages.ts';
import { cmdbPages } from './cmdb/pages.ts';
import { homePages } from './home/pages.ts';
import { incidentPages } from './incidents/pages.ts';
import { jobPages } from './jobs/pages.ts';
import { knowledgePages } from './knowledge/pages.ts';
import { NotFound } from './not-found.tsx';
import { notificationPages } from './notifications/pages.ts';
import type { Page } from './page.ts';
import { profilePages } from './profile/pages.ts';
import { requestPages } from './requests/pages.ts';
import { webhookPages } from './webhooks/pages.ts';

export const pages: readonly Page[] = [
  ...homePages,
  ...incidentPages,
  ...changePages,
  ...requestPages,
  ...cmdbPages,
  ...knowledgePages,
  ...assistantPages,
  ...jobPages,
  ...notificationPages,
  ...webhookPages,
  ...profilePages,
];

export interface FoundPage extends Page {
  parameters: PathParameters;
  name: string;
}

/** The first page whose path fits; one that says so when there is none. */
export function pageAt(path: string): FoundPage {
  for (const page of pages) {
    const parameters = matchPath(page.path, path);
    if (parameters) return named(page, parameters);
  }
  return named({ path, title: 'Page not found', Content: NotFound }, {});
}

/** From the page below the overview down to the given one. */
export function trailTo(found: FoundPage): { name: string; path: string }[] {
  const path = filled(found.path, found.parameters);
  const above = found.parent === undefined ? [] : trailTo(pageAt(filled(found.parent, found.parameters)));
  return [...above, { name: found.name, path }];
}

function named(page: Page, parameters: PathParameters): FoundPage {
  return { ...page, parameters, name: page.nameOf?.(parameters) ?? page.title };
}

function filled(pattern: string, parameters: PathParameters): string {
  return pattern.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));
}
