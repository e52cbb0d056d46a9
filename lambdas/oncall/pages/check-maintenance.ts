import type { Clock } from '../../platform/clock.ts';
import { type Log, toErrorFields } from '../../platform/log.ts';
import { writeWithRetry } from '../../records/write-items.ts';
import { buildPageUpdate } from './page.ts';
import { findIncident, findPage, finishPage, type PageStore } from './page-items.ts';
import { type ChangeTools, findHoldingChange } from './suspect-changes.ts';

// Alerts during a change do not page. The check has a function of its own, because it reads the lists of changes and items,
// and pages without it must not wait. The stream consumer queues the page once it is marked as checked. If the check fails,
// the page is sent: a page too many is better than none.

export interface MaintenanceTools extends ChangeTools {
  store: PageStore;
  clock: Clock;
  log: Log;
}

export async function checkMaintenance(pageId: string, tools: MaintenanceTools): Promise<void> {
  const { store, clock, log } = tools;
  const page = await findPage(store, pageId);
  if (!page || page.document.ended_at !== null || page.document.ci_id === null) return;
  const { ci_id, incident_id } = page.document;
  const holding = await findHoldingChange(ci_id, tools).catch((error: unknown) => {
    log('error', 'failed to look for changes in progress; the page is sent', { page: pageId, ...toErrorFields(error) });
    return undefined;
  });
  if (!holding) {
    // A failed condition means that somebody ended the page, or the sweep started it.
    await writeWithRetry(store, buildPageUpdate(page, { ...page.document, ci_id: null }));
    return;
  }
  const incident = await findIncident(store, incident_id);
  const end = { state: 'held' as const, text: holding.text, change: holding.id };
  await finishPage(store, clock, pageId, ({ document }) => (document.people.length > 0 ? undefined : end), incident);
}
