import { writeFileSync } from 'node:fs';
import { errorPageFile, errorPageText } from './error-page.ts';
import { openApiFile, openApiText } from './openapi-document.ts';

writeFileSync(openApiFile, openApiText());
writeFileSync(errorPageFile, errorPageText());
