import type { Facts } from './learned-item.ts';

export interface Found<Kind extends Facts['kind'] = Facts['kind']> {
  id: string;
  facts: Extract<Facts, { kind: Kind }>;
  /** The place of the passage within the record. */
  passage: number;
  cosine: number;
  /** What the order goes by: the cosine, and a little for words in common. */
  score: number;
}

/** The best of many that come one after the other, best first; nothing else is kept. */
export class BestFound<Kind extends Facts['kind']> {
  readonly found: Found<Kind>[] = [];
  private readonly count: number;
  private readonly each: 'record' | 'passage';

  constructor(count: number, each: 'record' | 'passage') {
    this.count = count;
    this.each = each;
  }

  /** Whoever scores less is not among the best. */
  get least(): number {
    return this.found.length < this.count ? Number.NEGATIVE_INFINITY : (this.found.at(-1)?.score ?? 0);
  }

  offer(one: Found<Kind>): void {
    if (one.score < this.least) return;
    if (this.each === 'record') {
      const other = this.found.findIndex(({ id }) => id === one.id);
      if (other >= 0 && before(this.found[other]!, one)) return;
      if (other >= 0) this.found.splice(other, 1);
    }
    let place = this.found.length;
    while (place > 0 && before(one, this.found[place - 1]!)) place--;
    this.found.splice(place, 0, one);
    if (this.found.length > this.count) this.found.pop();
  }
}

type Ordered = Pick<Found, 'id' | 'passage' | 'score'>;

/** Equals go by id and passage, so that the order never depends on who came first. */
function before(a: Ordered, b: Ordered): boolean {
  if (a.score !== b.score) return a.score > b.score;
  return a.id === b.id ? a.passage < b.passage : a.id < b.id;
}
