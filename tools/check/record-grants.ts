import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toRoleName } from './grants.ts';

// npm run grants: runs the tests and records which permissions the functions used. With test files as arguments, it adds
// theirs to the record; without, it replaces the record.

const recordFile = 'test/infrastructure/used-grants.json';
const files = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'access-'));
try {
  const env = { ...process.env, RECORD_ACCESS: folder };
  const { status } = spawnSync('npm', ['run', '--silent', 'jest', '--', ...files], { env, stdio: 'inherit' });
  if (status !== 0) throw new Error('The record is unchanged, because tests failed.');
  const known: Record<string, string[]> = files.length > 0 ? JSON.parse(readFileSync(recordFile, 'utf8')) : {};
  const used = new Set(
    Object.entries(known).flatMap(([role, actions]) => actions.map((action) => `${role} ${action}`)),
  );
  for (const file of readdirSync(folder)) {
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean)) {
      const [role = '', action = ''] = line.split(' ');
      // Templates of unit tests have roles of their own, without the hash of the CDK.
      if (toRoleName(role) !== role) used.add(`${toRoleName(role)} ${action}`);
    }
  }
  const record: Record<string, string[]> = {};
  for (const line of [...used].sort()) {
    const [role = '', action = ''] = line.split(' ');
    record[role] = [...(record[role] ?? []), action];
  }
  writeFileSync(recordFile, `${JSON.stringify(record, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
