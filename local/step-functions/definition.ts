// The Amazon States Language with JSONPath, as far as this runtime takes it; definition-check.ts refuses the rest.

export interface Definition extends StateScope {
  TimeoutSeconds?: number;
}

/** A machine, a branch of a Parallel, or what a Map does for each item. */
export interface StateScope {
  StartAt: string;
  States: Record<string, State>;
}

export interface State {
  Type: 'Task' | 'Wait' | 'Choice' | 'Map' | 'Parallel' | 'Pass' | 'Succeed' | 'Fail';
  Next?: string;
  End?: boolean;
  InputPath?: string | null;
  OutputPath?: string | null;
  ResultPath?: string | null;
  Parameters?: unknown;
  ResultSelector?: unknown;
  Retry?: Retrier[];
  Catch?: Catcher[];
  Result?: unknown;
  Resource?: string;
  TimeoutSeconds?: number;
  TimeoutSecondsPath?: string;
  Seconds?: number;
  SecondsPath?: string;
  Timestamp?: string;
  TimestampPath?: string;
  Choices?: ChoiceRule[];
  Default?: string;
  Error?: string;
  ErrorPath?: string;
  Cause?: string;
  CausePath?: string;
  Branches?: StateScope[];
  ItemProcessor?: StateScope;
  Iterator?: StateScope;
  ItemsPath?: string;
  ItemSelector?: unknown;
  MaxConcurrency?: number;
  MaxConcurrencyPath?: string;
}

export interface Retrier {
  ErrorEquals: string[];
  IntervalSeconds?: number;
  MaxAttempts?: number;
  BackoffRate?: number;
  MaxDelaySeconds?: number;
  JitterStrategy?: 'FULL' | 'NONE';
}

export interface Catcher {
  ErrorEquals: string[];
  Next: string;
  ResultPath?: string | null;
}

export interface ChoiceRule {
  Next?: string;
  And?: ChoiceRule[];
  Or?: ChoiceRule[];
  Not?: ChoiceRule;
  Variable?: string;
  [comparison: string]: unknown;
}

/** Where a scope is in its definition: from the machine down, a state name and which of its scopes. */
export type ScopePath = readonly { state: string; branch: number }[];

export function scopeAt(definition: Definition, path: ScopePath): StateScope {
  let scope: StateScope = definition;
  for (const { state, branch } of path) {
    const inner = scopesOf(scope.States[state]!)[branch];
    if (!inner) throw new Error(`the definition has no scope ${branch} in the state ${state}`);
    scope = inner;
  }
  return scope;
}

export function scopesOf(state: State): StateScope[] {
  if (state.Type === 'Parallel') return state.Branches ?? [];
  if (state.Type === 'Map') return [state.ItemProcessor ?? state.Iterator].filter((scope) => scope !== undefined);
  return [];
}

/** Takes one sentence about what is wrong with a definition. */
export type Report = (problem: string) => void;
