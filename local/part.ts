/** Every piece of the runtime has only these two verbs; runtime.ts is the ordered list of them. */
export interface Part {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}
