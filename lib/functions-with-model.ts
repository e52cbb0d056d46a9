/**
 * The functions that load the embedding model. Each holds it in memory, so the operations that need it share one
 * function.
 */
export const functionsWithModel = ['assist', 'learn-from-records'] as const;

export type FunctionWithModel = (typeof functionsWithModel)[number];

/** It contains the console's files and writes them to their bucket. */
export const functionWithConsole = 'publish-console';
