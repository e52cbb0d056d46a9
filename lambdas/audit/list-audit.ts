import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import type { CursorSeal } from '../records/cursor.ts';
import type { AuditLog } from './audit-store.ts';

export function listAudit(audit: AuditLog, seal: CursorSeal): UseCase<typeof routes.listAudit> {
  return async ({ query: { limit, cursor, ...filter } }, { clock }) => {
    const list = `audit ${JSON.stringify(filter)}`;
    const after = cursor === undefined ? undefined : seal.open(list, cursor);
    const [items, total] = await Promise.all([
      audit.page(filter, limit + 1, clock.now(), after),
      audit.count(filter, clock.now()),
    ]);
    const shown = items.slice(0, limit);
    const next = items.length > limit ? { next_cursor: seal.seal(list, shown.at(-1)!.place) } : {};
    return { status: 200, body: { data: shown.map(({ entry }) => entry), ...next, total } };
  };
}
