// All warm workers of all functions: which one takes a call, when another is started, and which is ended, because there
// are too many of them or because it has had nothing to do for long, as Lambda ends them, too.
import type { FunctionDefinition } from './function-definition.ts';
import type { Call } from './invocation.ts';
import type { Sandbox } from './sandbox.ts';

export interface PoolOptions {
  /** Beyond this many, the least recently used idle worker is ended. A large function counts for several. */
  maxWarm: number;
  /** More than one pays off only for functions that compute; calls waiting on the network interleave in one. */
  workersPerFunction: number;
  /** How long a worker of the function may have nothing to do, in milliseconds of the machine's own time. */
  idleMs(definition: FunctionDefinition): number;
  start(definition: FunctionDefinition, pool: SandboxPool): Sandbox;
}

const sweepEveryMs = 10_000;

export class SandboxPool {
  private readonly options: PoolOptions;
  private readonly warm = new Map<string, Sandbox[]>();
  private readonly running = new Set<Sandbox>();
  private count = 0;
  private places = 0;
  private uses = 0;
  private stopped = false;

  private readonly sweep: NodeJS.Timeout;

  constructor(options: PoolOptions) {
    this.options = options;
    this.sweep = setInterval(() => this.endIdle(performance.now()), sweepEveryMs);
    this.sweep.unref();
  }

  /** Workers that take calls; those on their way out are not counted. */
  get warmCount(): number {
    return this.count;
  }

  hand(definition: FunctionDefinition, call: Call): void {
    if (this.stopped) throw new Error('the functions are stopped');
    const sandbox = this.leastLoaded(definition) ?? this.add(definition);
    sandbox.lastUse = ++this.uses;
    sandbox.lastUseMs = performance.now();
    sandbox.take(call);
    // Only now, because a worker without a call counts as idle.
    this.trim();
  }

  leave(sandbox: Sandbox): void {
    const sandboxes = this.warm.get(sandbox.definition.name) ?? [];
    const place = sandboxes.indexOf(sandbox);
    if (place < 0) return;
    sandboxes.splice(place, 1);
    this.count--;
    this.places -= placesOf(sandbox.definition);
  }

  ended(sandbox: Sandbox): void {
    this.running.delete(sandbox);
  }

  /** Ends what is idle and beyond the limit, longest unused first. */
  trim(): void {
    while (this.places > this.options.maxWarm) {
      let oldest: Sandbox | undefined;
      for (const sandboxes of this.warm.values())
        for (const sandbox of sandboxes)
          if (sandbox.load === 0 && (!oldest || sandbox.lastUse < oldest.lastUse)) oldest = sandbox;
      if (!oldest) return;
      void oldest.end();
    }
  }

  /** Ends what has had nothing to do for too long. */
  endIdle(nowMs: number): void {
    const idle = [...this.warm.values()]
      .flat()
      .filter((sandbox) => sandbox.load === 0 && nowMs - sandbox.lastUseMs > this.options.idleMs(sandbox.definition));
    for (const sandbox of idle) void sandbox.end();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.sweep);
    await Promise.all([...this.running].map((sandbox) => sandbox.end()));
  }

  private leastLoaded(definition: FunctionDefinition): Sandbox | undefined {
    const sandboxes = this.warm.get(definition.name) ?? [];
    let best: Sandbox | undefined;
    for (const sandbox of sandboxes) if (!best || sandbox.load < best.load) best = sandbox;
    const mayAdd = sandboxes.length < this.options.workersPerFunction;
    return best && best.load > 0 && mayAdd ? undefined : best;
  }

  private add(definition: FunctionDefinition): Sandbox {
    const sandbox = this.options.start(definition, this);
    const sandboxes = this.warm.get(definition.name) ?? [];
    this.warm.set(definition.name, sandboxes);
    sandboxes.push(sandbox);
    this.running.add(sandbox);
    this.count++;
    this.places += placesOf(definition);
    return sandbox;
  }
}

/** One for each half gigabyte that it may take. */
function placesOf({ memorySizeMb }: FunctionDefinition): number {
  return Math.max(1, Math.floor(memorySizeMb / 512));
}
