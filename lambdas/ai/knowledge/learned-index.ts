import type { Found } from './best-found.ts';
import { decodeLearned, type Facts } from './learned-item.ts';
import { LearnedKind, type Search } from './learned-kind.ts';

/** Resolved incidents beyond this many are forgotten, oldest first: a cold start reads them all. */
const mostIncidents = 50_000;

/** Everything learned, in the memory of a warm function. */
export class LearnedIndex {
  private readonly kinds: { readonly [Kind in Facts['kind']]: LearnedKind<Kind> } = {
    article: new LearnedKind<'article'>(),
    incident: new LearnedKind<'incident'>(),
  };
  private readonly seen = new Map<string, number>();

  get size(): number {
    return this.kinds.article.size + this.kinds.incident.size;
  }

  /** Whether a search can find anything. */
  has<Kind extends Facts['kind']>(kind: Kind, accepts?: Search<Kind>['accepts']): boolean {
    return this.kinds[kind].has(accepts);
  }

  knows(id: string, atMs: number): boolean {
    return (this.seen.get(id) ?? -1) >= atMs;
  }

  apply(id: string, atMs: number, bytes: Uint8Array): void {
    if (this.knows(id, atMs)) return;
    const learned = decodeLearned(bytes);
    this.seen.set(id, atMs);
    for (const kind of Object.values(this.kinds)) kind.remove(id);
    if (!learned) return;
    this.kinds[learned.facts.kind].add(id, learned);
    const { incident } = this.kinds;
    if (incident.size > mostIncidents) incident.remove(incident.oldest!);
  }

  /** The best records, best first; each once, by its best passage. */
  search<Kind extends Facts['kind']>(search: Search<Kind>): Found<Kind>[] {
    return this.kinds[search.kind].search(search, 'record');
  }

  /** The best passages, best first; several of one record may be among them. */
  searchPassages<Kind extends Facts['kind']>(search: Search<Kind>): Found<Kind>[] {
    return this.kinds[search.kind].search(search, 'passage');
  }
}
