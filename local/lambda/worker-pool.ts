// The warm workers of all functions. The pool dispatches each call to the least loaded worker, starts workers and, like
// Lambda, ends workers that are idle for too long or exceed the limit.

import type { FunctionDefinition } from './function-definition.ts';
import type { FunctionWorker } from './function-worker.ts';
import type { Call } from './invocation.ts';
import type { WorkerGroup } from './worker-groups.ts';

interface PoolOptions {
  /** Above this many slots, the least recently used idle worker ends. A large function takes several slots. */
  maxWarm: number;
  findGroup(definition: FunctionDefinition): WorkerGroup;
  start(group: WorkerGroup, pool: WorkerPool): FunctionWorker;
}

const sweepEveryMs = 10_000;
const checkStuckEveryMs = 500;

export class WorkerPool {
  private readonly options: PoolOptions;
  private readonly warm = new Map<string, FunctionWorker[]>();
  private readonly running = new Set<FunctionWorker>();
  private count = 0;
  private slots = 0;
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

  /** Workers that accept calls. */
  get warmCount(): number {
    return this.count;
  }

  dispatch(call: Call): void {
    if (this.stopped) throw new Error('Functions are stopped');
    const group = this.options.findGroup(call.definition);
    const worker = this.findIdlest(group) ?? this.add(group);
    worker.lastUse = ++this.uses;
    worker.lastUseMs = performance.now();
    worker.accept(call);
    // After accepting, because a worker without a call counts as idle.
    this.trim();
  }

  retire(worker: FunctionWorker): void {
    const workers = this.warm.get(worker.group.name) ?? [];
    const index = workers.indexOf(worker);
    if (index < 0) return;
    workers.splice(index, 1);
    this.count--;
    this.slots -= worker.group.slots;
  }

  markEnded(worker: FunctionWorker): void {
    this.running.delete(worker);
  }

  /** Ends idle workers above the limit, least recently used first. */
  trim(): void {
    while (this.slots > this.options.maxWarm) {
      let oldest: FunctionWorker | undefined;
      for (const workers of this.warm.values())
        for (const worker of workers)
          if (worker.load === 0 && (!oldest || worker.lastUse < oldest.lastUse)) oldest = worker;
      if (!oldest) return;
      void oldest.end();
    }
  }

  endIdle(nowMs: number): void {
    const idle = [...this.warm.values()]
      .flat()
      .filter((worker) => worker.load === 0 && nowMs - worker.lastUseMs > worker.group.idleMs);
    for (const worker of idle) void worker.end();
  }

  private replaceStuck(nowMs: number): void {
    for (const worker of [...this.warm.values()].flat()) if (worker.group.isShared) worker.retireIfStuck(nowMs);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    for (const timer of this.timers) clearInterval(timer);
    await Promise.all([...this.running].map((worker) => worker.end()));
  }

  private findIdlest(group: WorkerGroup): FunctionWorker | undefined {
    const workers = this.warm.get(group.name) ?? [];
    let best: FunctionWorker | undefined;
    for (const worker of workers) if (!best || worker.load < best.load) best = worker;
    const mayAdd = workers.length < group.maxWorkers;
    return best && best.load > 0 && mayAdd ? undefined : best;
  }

  private add(group: WorkerGroup): FunctionWorker {
    const worker = this.options.start(group, this);
    const workers = this.warm.get(group.name) ?? [];
    this.warm.set(group.name, workers);
    workers.push(worker);
    this.running.add(worker);
    this.count++;
    this.slots += group.slots;
    return worker;
  }
}
