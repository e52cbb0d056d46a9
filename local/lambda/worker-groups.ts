// Which functions share a worker thread, judged by what the template says of them. Quick functions share a few workers, so
// that all of them stay warm in little memory. Functions with much memory, which compute (Lambda gives processor power by
// memory size), share workers of their own, so that quick ones never wait for them. A function has a worker to itself when
// it may run for long, works behind a queue, or cannot be loaded beside others.
import { availableParallelism } from 'node:os';
import type { FunctionDefinition } from './function-definition.ts';

export interface WorkerGroup {
  name: string;
  isShared: boolean;
  /** The limit of the JavaScript heap of its worker. */
  heapMb: number;
  /** How much of `maxWarm` its worker takes. */
  slots: number;
  maxWorkers: number;
  /** How long its worker may have nothing to do, in milliseconds of the machine's own time. */
  idleMs: number;
  isLowPriority: boolean;
}

interface WorkerGroupsOptions {
  sharedWorkers: number | undefined;
  workersPerFunction: number;
  /** All there are. */
  definitions(): Iterable<FunctionDefinition>;
  isBehindQueue(functionName: string): boolean;
  /** Whether the code can be loaded once per function in one worker. */
  canShare(definition: FunctionDefinition): boolean;
}

const minComputingMemoryMb = 1_024;
/** API Gateway waits no longer, so this is how long quick functions take at most. */
const maxQuickTimeoutMs = 30_000;
const slotMemoryMb = 512;
/** What a function's own instances of its modules take, generously. */
const instanceMb = 4;

/** A worker takes this many functions before the next one is started: the first requests find it started already. */
const functionsBeforeNextWorker = 4;

const idleMs = 5 * 60_000;
/** Nobody notices when these start anew, and some of them take much memory. */
const idleBehindQueuesMs = 60_000;

type Kind = 'quick' | 'computing';

interface SharedGroup {
  group: WorkerGroup;
  functionCount: number;
}

export class WorkerGroups {
  private readonly options: WorkerGroupsOptions;
  private readonly maxShared: number;
  private readonly groups = new Map<string, WorkerGroup>();
  private readonly shared: Record<Kind, SharedGroup[]> = { quick: [], computing: [] };

  constructor(options: WorkerGroupsOptions) {
    this.options = options;
    this.maxShared = options.sharedWorkers ?? Math.min(4, Math.ceil(availableParallelism() / 2));
  }

  /** A function keeps its group. */
  of(definition: FunctionDefinition): WorkerGroup {
    const known = this.groups.get(definition.name);
    if (known) return known;
    const group = this.canShareWorker(definition) ? this.join(getKind(definition)) : this.alone(definition);
    this.groups.set(definition.name, group);
    return group;
  }

  private canShareWorker(definition: FunctionDefinition): boolean {
    const { name, timeoutMs } = definition;
    return (
      this.maxShared > 0 &&
      timeoutMs <= maxQuickTimeoutMs &&
      !this.options.isBehindQueue(name) &&
      this.options.canShare(definition)
    );
  }

  private join(kind: Kind): WorkerGroup {
    const shared = this.shared[kind];
    const smallest = shared.toSorted((a, b) => a.functionCount - b.functionCount)[0];
    const isFull = !smallest || smallest.functionCount >= functionsBeforeNextWorker;
    const joined = isFull && shared.length < this.maxWorkers(kind) ? this.open(kind) : smallest!;
    joined.functionCount++;
    return joined.group;
  }

  /** Half as many for those that compute: they hold much data, and more threads than processors only take turns. */
  private maxWorkers(kind: Kind): number {
    return kind === 'quick' ? this.maxShared : Math.ceil(this.maxShared / 2);
  }

  private open(kind: Kind): SharedGroup {
    const shared = this.shared[kind];
    const sizes = [...this.options.definitions()]
      .filter((each) => getKind(each) === kind && this.canShareWorker(each))
      .map((each) => each.memorySizeMb);
    const group = {
      // A space, because no function can be named like this.
      name: `${kind} ${shared.length + 1}`,
      isShared: true,
      heapMb: Math.max(...sizes) + instanceMb * sizes.length,
      slots: 0,
      maxWorkers: 1,
      idleMs,
      isLowPriority: false,
    };
    const opened = { group, functionCount: 0 };
    shared.push(opened);
    return opened;
  }

  private alone({ name, memorySizeMb }: FunctionDefinition): WorkerGroup {
    const isLowPriority = this.options.isBehindQueue(name);
    return {
      name,
      isShared: false,
      heapMb: memorySizeMb,
      slots: Math.max(1, Math.floor(memorySizeMb / slotMemoryMb)),
      maxWorkers: this.options.workersPerFunction,
      idleMs: isLowPriority ? idleBehindQueuesMs : idleMs,
      isLowPriority,
    };
  }
}

function getKind({ memorySizeMb }: FunctionDefinition): Kind {
  return memorySizeMb < minComputingMemoryMb ? 'quick' : 'computing';
}
