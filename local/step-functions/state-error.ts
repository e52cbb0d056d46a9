/** What a state reports when it cannot go on: a name that Retry and Catch compare, and a cause for people. */
export class StateError extends Error {
  readonly error: string;
  override readonly cause: string;

  constructor(error: string, cause: string) {
    super(`${error}: ${cause}`);
    this.error = error;
    this.cause = cause;
  }
}

/** A mistake in the definition that only the data brought to light. Nothing catches it: the execution fails. */
export const runtimeError = (cause: string) => new StateError('States.Runtime', cause);
