import { spawnSync } from 'node:child_process';
import { findSevere, readReport } from './audit-report.ts';

// Fails when a package that runs in production has a known vulnerability of high or critical severity. Passes with a
// message if the registry does not respond: a test run must not depend on the network.

const timeoutMs = 60_000;
const options = ['--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=15000'];
const { stdout } = spawnSync('npm', ['audit', ...options], { encoding: 'utf8', timeout: timeoutMs });
const report = readReport(stdout ?? '');
if (!report) {
  console.log('Skipped the vulnerability check: the package registry is unreachable.');
} else {
  const severe = findSevere(report);
  for (const line of severe) console.error(line);
  console.log(`Vulnerabilities of high or critical severity in production packages: ${severe.length}.`);
  if (severe.length > 0) process.exitCode = 1;
}
