import type { AuditEntry } from '../../contract/audit.ts';
import { idFrom, newId } from '../platform/ids.ts';

/** An entry without its id; what its source does not tell is left out. */
export interface AuditFacts extends Pick<AuditEntry, 'at' | 'type' | 'actor' | 'target'> {
  source_ip?: string | undefined;
  user_agent?: string | undefined;
  request_id?: string | undefined;
  details?: AuditEntry['details'];
}

/** With a source, the id follows from it, so that recording the same twice leaves one entry. */
export function auditEntry(facts: AuditFacts, source?: string): AuditEntry {
  return {
    id: source === undefined ? newId('audit') : idFrom('audit', source),
    at: facts.at,
    type: facts.type,
    actor: facts.actor,
    target: facts.target,
    source_ip: facts.source_ip ?? null,
    user_agent: facts.user_agent?.slice(0, maxUserAgentCharacters) ?? null,
    request_id: facts.request_id ?? null,
    details: facts.details ?? {},
  };
}

const maxUserAgentCharacters = 500;
