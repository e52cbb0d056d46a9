// Assigns functions to worker threads by their template properties. Quick functions share a few workers, so all stay warm
// in little memory. Compute-heavy functions share other workers, so quick functions never wait for them. A function with a
// long timeout, a queue as event source or code that cannot be shared has its own worker.
import { availableParallelism } from 'node:os';
import { requireValue } from '../require-value.ts';
import { type FunctionDefinition, isComputeHeavy } from './function-definition.ts';

export interface WorkerGroup {
  name: string;
  isShared: boolean;
  heapMb: number;
  /** Number of `maxWarm` slots that its worker uses. */
  slots: number;
  maxWorkers: number;
  /** Maximum idle time of its worker, in real time. */
  idleMs: number;
  isLowPriority: boolean;
}

interface WorkerGroupsOptions {
  sharedWorkers: number | undefined;
  workersPerFunction: number;
  definitions(): Iterable<FunctionDefinition>;
  isBehindQueue(functionName: string): boolean;
  /** Whether the code can be loaded once per function in one worker. */
  canShare(definition: FunctionDefinition): boolean;
}

/** API Gateway's timeout. */
const maxQuickTimeoutMs = 30_000;
const slotMemoryMb = 512;
/** A generous estimate of the memory for one function's module instances. */
const instanceMb = 4;

/** Fill a worker with this many functions before starting the next, so first requests find a running worker. */
const functionsBeforeNextWorker = 4;

const idleMs = 5 * 60_000;
/** Shorter, because no client waits for their cold start and some use much memory. */
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

  getGroup(definition: FunctionDefinition): WorkerGroup {
    const known = this.groups.get(definition.name);
    if (known) return known;
    const group = this.canShareWorker(definition)
      ? this.joinSharedGroup(getKind(definition))
      : this.createOwnGroup(definition);
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

  private joinSharedGroup(kind: Kind): WorkerGroup {
    const shared = this.shared[kind];
    const smallest = shared.toSorted((a, b) => a.functionCount - b.functionCount)[0];
    const isFull = !smallest || smallest.functionCount >= functionsBeforeNextWorker;
    const joined =
      isFull && shared.length < this.getMaxWorkers(kind) ? this.openSharedGroup(kind) : requireValue(smallest);
    joined.functionCount++;
    return joined.group;
  }

  /** Half as many for compute-heavy functions: they use much memory, and more threads would only compete for CPUs. */
  private getMaxWorkers(kind: Kind): number {
    return kind === 'quick' ? this.maxShared : Math.ceil(this.maxShared / 2);
  }

  private openSharedGroup(kind: Kind): SharedGroup {
    const shared = this.shared[kind];
    const sizes = [...this.options.definitions()]
      .filter((each) => getKind(each) === kind && this.canShareWorker(each))
      .map((each) => each.memorySizeMb);
    const group = {
      // The space prevents a clash with function names.
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

  private createOwnGroup({ name, memorySizeMb }: FunctionDefinition): WorkerGroup {
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

function getKind(definition: FunctionDefinition): Kind {
  return isComputeHeavy(definition) ? 'computing' : 'quick';
}
