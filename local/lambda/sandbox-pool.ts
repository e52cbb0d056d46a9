// All warm workers of all functions: which one takes a call, when another is started, and which is ended, because there
// are too many of them or because it has had nothing to do for long, as Lambda ends them, too.
import type { FunctionDefinition } from './function-definition.ts';
import type { Call } from './invocation.ts';
import type { Sandbox } from './sandbox.ts';
import type { WorkerGroup } from './worker-groups.ts';

export interface PoolOptions {
  /** Beyond this many, the least recently used idle worker is ended. A large function counts for several. */
  maxWarm: number;
  groupOf(definition: FunctionDefinition): WorkerGroup;
  start(group: WorkerGroup, pool: SandboxPool): Sandbox;
}

const sweepEveryMs = 10_000;
const checkStuckEveryMs = 500;

export class SandboxPool {
  private readonly options: PoolOptions;
  private readonly warm = new Map<string, Sandbox[]>();
  private readonly running = new Set<Sandbox>();
  private count = 0;
  private places = 0;
  private uses = 0;
  private stopped = false;

  private readonly timers: readonly NodeJS.Timeout[];

  constructor(options: PoolOptions) {
    this.options = options;
    this.timers = [
      setInterval(() => this.endIdle(performance.now()), sweepEveryMs),
      setInterval(() => this.replaceStuck(performance.now()), checkStuckEveryMs),
    ];
    for (const timer of this.timers) timer.unref();
  }

  /** Workers that take calls; those on their way out are not counted. */
  get warmCount(): number {
    return this.count;
  }

  hand(call: Call): void {
    if (this.stopped) throw new Error('the functions are stopped');
    const group = this.options.groupOf(call.definition);
    const sandbox = this.leastLoaded(group) ?? this.add(group);
    sandbox.lastUse = ++this.uses;
    sandbox.lastUseMs = performance.now();
    sandbox.take(call);
    // Only now, because a worker without a call counts as idle.
    this.trim();
  }

  leave(sandbox: Sandbox): void {
    const sandboxes = this.warm.get(sandbox.group.name) ?? [];
    const place = sandboxes.indexOf(sandbox);
    if (place < 0) return;
    sandboxes.splice(place, 1);
    this.count--;
    this.places -= sandbox.group.places;
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
      .filter((sandbox) => sandbox.load === 0 && nowMs - sandbox.lastUseMs > sandbox.group.idleMs);
    for (const sandbox of idle) void sandbox.end();
  }

  private replaceStuck(nowMs: number): void {
    for (const sandbox of [...this.warm.values()].flat()) if (sandbox.group.isShared) sandbox.leaveIfStuck(nowMs);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    for (const timer of this.timers) clearInterval(timer);
    await Promise.all([...this.running].map((sandbox) => sandbox.end()));
  }

  private leastLoaded(group: WorkerGroup): Sandbox | undefined {
    const sandboxes = this.warm.get(group.name) ?? [];
    let best: Sandbox | undefined;
    for (const sandbox of sandboxes) if (!best || sandbox.load < best.load) best = sandbox;
    const mayAdd = sandboxes.length < group.maxWorkers;
    return best && best.load > 0 && mayAdd ? undefined : best;
  }

  private add(group: WorkerGroup): Sandbox {
    const sandbox = this.options.start(group, this);
    const sandboxes = this.warm.get(group.name) ?? [];
    this.warm.set(group.name, sandboxes);
    sandboxes.push(sandbox);
    this.running.add(sandbox);
    this.count++;
    this.places += group.places;
    return sandbox;
  }
}
