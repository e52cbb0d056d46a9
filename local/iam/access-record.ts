// Records the actions that each role uses, for the test that compares them with the template's grants. The environment
// variable RECORD_ACCESS names a folder; each process appends one line per role and action to its own file.
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

export type RecordAccess = (roleId: string, action: string) => void;

export function createAccessRecord(folder = process.env.RECORD_ACCESS): RecordAccess | undefined {
  if (!folder) return undefined;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${process.pid}-${Date.now()}.txt`);
  const known = new Set<string>();
  return (roleId, action) => {
    const line = `${roleId} ${action}\n`;
    if (known.has(line)) return;
    known.add(line);
    appendFileSync(file, line);
  };
}
