// Calls functions for the first time while 0, 1, 2 … file descriptors are free. Runs as its own process with a low limit.
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { aFunction, aStage } from './function-fixture.ts';

const maxFree = 8;
const names = Array.from({ length: maxFree }, (_, free) => `F${free}`);
const outcomes: string[] = [];

for (const sharedWorkers of [0, 1]) {
  const resources = names.map((name) => aFunction(name, "exports.handler = async () => 'ok'"));
  const stage = await aStage(resources, { sharedWorkers });
  for (const [free, name] of names.entries()) {
    const held = holdDescriptors(free);
    const { payload, ...rest } = await stage.functions.invoke(`shop-${name}`, {}).catch((error: Error) => ({
      payload: error.message,
    }));
    for (const descriptor of held) closeSync(descriptor);
    outcomes.push('functionError' in rest ? JSON.stringify(payload) : String(payload));
  }
  await stage.close();
}
console.log(JSON.stringify(outcomes));

/** Opens as many files as the limit allows, less `free`. */
function holdDescriptors(free: number): number[] {
  const held: number[] = [];
  try {
    for (;;) held.push(openSync(devNull, 'r'));
  } catch {
    for (const descriptor of held.splice(0, free)) closeSync(descriptor);
    return held;
  }
}
