/** A part of the runtime with a lifecycle; runtime.ts starts them in order. */
export interface RuntimeService {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}
