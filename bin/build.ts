// Everything that is built, in one process: functions and console side by side, then the template from the functions.
import { buildConsole } from './build-console.ts';

await Promise.all([import('./build-functions.ts'), buildConsole()]);
await import('./app.ts');
