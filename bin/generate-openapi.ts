import { writeFileSync } from 'node:fs';
import { openApiFile, openApiText } from './openapi-document.ts';

writeFileSync(openApiFile, openApiText());
