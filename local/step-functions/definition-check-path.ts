// Every path and intrinsic function of a definition is read at start, so that a typing error does not wait for data.
import { isReferencePath } from './data-flow.ts';
import type { Report } from './definition.ts';
import { readExpression } from './intrinsic.ts';
import { readPath } from './json-path.ts';

export function checkPath(path: string | null | undefined, field: string, report: Report): void {
  if (path === undefined || path === null) return;
  attempt(field, report, () => readPath(path));
}

export function checkReferencePath(path: string | null | undefined, field: string, report: Report): void {
  if (path === undefined || path === null) return;
  attempt(field, report, () => {
    if (!isReferencePath(readPath(path))) report(`${field}: ${path} can name more than one node`);
  });
}

export function checkExpression(text: string, field: string, report: Report): void {
  attempt(field, report, () => readExpression(text));
}

export function checkTemplate(template: unknown, field: string, report: Report): void {
  if (template === null || typeof template !== 'object') return;
  for (const [key, value] of Object.entries(template)) {
    if (!key.endsWith('.$')) checkTemplate(value, `${field}.${key}`, report);
    else if (typeof value !== 'string') report(`${field}.${key}: must be a path or an intrinsic function`);
    else checkExpression(value, `${field}.${key}`, report);
  }
}

function attempt(field: string, report: Report, read: () => unknown): void {
  try {
    read();
  } catch (error) {
    report(`${field}: ${(error as Error).message}`);
  }
}
