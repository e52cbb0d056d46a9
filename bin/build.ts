// Everything that is built, in one process: functions, console and server side by side, then the template from the
// functions.
import { buildConsole } from './build-console.ts';
import { buildServer } from './build-server.ts';

await Promise.all([import('./build-functions.ts'), buildConsole(), buildServer()]);
await import('./app.ts');
