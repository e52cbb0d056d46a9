// Some at once, in the order in which they are given: what follows does not begin before there is room for it. Work on the
// same thing is done one after the other.
export class AtOnce {
  private readonly most: number;
  private readonly running = new Set<Promise<unknown>>();
  private readonly latest = new Map<string, Promise<unknown>>();

  constructor(most: number) {
    this.most = most;
  }

  /** Resolves when the work has begun. */
  async begin(thing: string, work: () => Promise<unknown>): Promise<void> {
    while (this.running.size >= this.most) await Promise.race(this.running);
    const before = this.latest.get(thing) ?? Promise.resolve();
    const turn = before.then(work);
    this.latest.set(thing, turn);
    this.running.add(turn);
    void turn.then(
      () => this.running.delete(turn),
      () => {},
    );
  }

  /** Resolves when all of it is done; rejects with the first failure. */
  async done(): Promise<void> {
    await Promise.all(this.running);
  }
}
