// npm run cost [-- --write]: measures what every operation consumes on the local service, and prints or writes the tables of
// docs/cost.md with list prices.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireValue } from '../../local/require-value.ts';
import { ensureLocalBuild, root } from '../../tools/build/local-build.ts';
import { replaceBlock } from '../../tools/generate/marked-block.ts';
import { prod, withOptions } from '../infrastructure/stack.ts';
import { startService } from '../support/service.ts';
import { type IdleLine, listIdleCosts, measureIdleHour, type TemplateResources } from './idle-costs.ts';
import type { Units } from './measured-usage.ts';
import { measureOperations, type OperationCost, priceRequests } from './operation-costs.ts';
import { perMillion, priceDate } from './prices.ts';
import { listTeamCosts, priceCanary } from './small-team.ts';

const page = join(root, 'docs/cost.md');
const production = prod.toJSON() as TemplateResources;
const functionMemoryMb = new Map(
  Object.values(production.Resources)
    .filter(({ Type }) => Type === 'AWS::Lambda::Function')
    .map(({ Properties = {} }) => [toShortName(String(Properties.FunctionName)), Number(Properties.MemorySize)]),
);

await ensureLocalBuild();
const service = await startService();
try {
  const memoryMb = (name: string) => functionMemoryMb.get(toShortName(name)) ?? 512;
  const hour = await measureIdleHour(service, memoryMb);
  const options = withOptions().toJSON() as TemplateResources;
  const costs = await measureOperations(service, memoryMb);
  const price = (name: string) => {
    const { units } = requireValue(costs.find(({ operation: { method, path } }) => `${method} ${path}` === name));
    return priceRequests(requireValue(units)).total;
  };
  const idle = [...listIdleCosts(production, hour), priceCanary(price)];
  const tables = {
    idle: formatIdle(idle),
    'small team': formatIdle(listTeamCosts(idle, price)),
    firewall: formatIdle(listIdleCosts(options, hour).filter(({ name }) => name.startsWith('Web ACL'))),
    requests: formatRequests(costs),
  };
  for (const table of Object.values(tables)) console.log(`${table}\n`);
  if (process.argv.includes('--write')) writeTables(tables);
} finally {
  await service.stop();
}

/** Names start with the stack's. */
function toShortName(functionName: string): string {
  return functionName.replace(/^incidents-[a-z]+-+/, '');
}

function formatIdle(lines: readonly IdleLine[]): string {
  const sum = (price: (line: IdleLine) => number) => lines.reduce((total, line) => total + price(line), 0);
  const rows = lines.map(
    ({ name, count, dollars, dollarsAfterFreeTier }) =>
      `| ${name} | ${count} | ${dollars.toFixed(2)} | ${dollarsAfterFreeTier.toFixed(2)} |`,
  );
  const total = `| Total | | ${sum(({ dollars }) => dollars).toFixed(2)} | ${sum(({ dollarsAfterFreeTier }) => dollarsAfterFreeTier).toFixed(2)} |`;
  return ['| Per month | Count | $ | $ after free tier |', '|---|---|---|---|', ...rows, total].join('\n');
}

function formatRequests(costs: readonly OperationCost[]): string {
  const fixed = perMillion.gatewayRequests + perMillion.cloudFrontRequests;
  const rows = costs.flatMap(({ operation: { method, path }, units }) =>
    units ? [`| \`${method} ${path}\` | ${formatUnits(units, fixed)} |`] : [],
  );
  const failed = costs.filter(({ units }) => !units).map(({ operation: { name } }) => `\`${name}\``);
  return [
    `| Operation | Invocations | GB-s | Reads | Writes | Gateway $ | Functions $ | Data $ | $ per million |`,
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
    ...(failed.length > 0
      ? ['', `Not measured, because the example of the contract is rejected: ${failed.join(', ')}.`]
      : []),
  ].join('\n');
}

function formatUnits(units: Units, fixed: number): string {
  const { functions, data, total } = priceRequests(units);
  const { invocations, gbSeconds, readUnits, writeUnits } = units;
  return [
    invocations,
    gbSeconds.toFixed(3),
    readUnits,
    writeUnits,
    fixed.toFixed(2),
    functions.toFixed(2),
    data.toFixed(2),
    total.toFixed(2),
  ].join(' | ');
}

function writeTables(tables: Readonly<Record<string, string>>): void {
  let text = readFileSync(page, 'utf8').replace(/list prices of \d{4}-\d\d-\d\d/, `list prices of ${priceDate}`);
  for (const [name, table] of Object.entries(tables)) text = replaceBlock(text, name, table);
  writeFileSync(page, text);
}
