import { writeFileSync } from 'node:fs';
import { commandPageFile, renderCommandPage } from './command-page.ts';
import { errorPageFile, renderErrorText } from './error-page.ts';
import { openApiFile, openApiText } from './openapi-document.ts';

writeFileSync(openApiFile, openApiText());
writeFileSync(errorPageFile, renderErrorText());
writeFileSync(commandPageFile, renderCommandPage());
