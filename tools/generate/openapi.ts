import { writeFileSync } from 'node:fs';
import { errorPageFile, renderErrorText } from './error-page.ts';
import { openApiFile, openApiText } from './openapi-document.ts';

writeFileSync(openApiFile, openApiText());
writeFileSync(errorPageFile, renderErrorText());
