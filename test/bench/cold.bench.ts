import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { resourceTypes } from '../../local/cloud.ts';
import { buildWorkerEnvironment, parseFunctionDefinition } from '../../local/lambda/function-definition.ts';
import { loadTemplate } from '../../local/template/template.ts';
import { assemblyFolder, ensureLocalBuild, readTemplate, stackName } from '../../tools/build/local-build.ts';
import { printTable } from './report.ts';

const runs = 3;

/** Loads a function in a new process, as Lambda does before the first request. */
const program = `
  const before = process.cpuUsage();
  import(process.argv[1]).then(() => {
    const { user, system } = process.cpuUsage(before);
    process.stdout.write(String((user + system) / 1000), () => process.exit());
  });`;

/** The processor time that each function takes to load, without the start of Node itself; the median of three runs. */
export async function benchCold(): Promise<void> {
  await ensureLocalBuild();
  const urls = { publicUrl: 'http://localhost:3000', awsUrl: 'http://localhost:3001' };
  const environment = { stackName, region: 'us-east-1', accountId: '000000000000', ...urls };
  const parameters = { PublicUrl: urls.publicUrl, CorsOrigins: urls.publicUrl, SearchEndpoint: '', MailSender: 'none' };
  const stack = loadTemplate(readTemplate(), { types: resourceTypes, environment, parameters });
  const rows = stack.findByType('AWS::Lambda::Function').flatMap((resource) => {
    const path = resource.metadata['aws:asset:path'];
    // Functions of the CDK have their code in the template, and those that write to OpenSearch do not start without it.
    if (typeof path !== 'string' || /index(?:ing|es)?$|search/.test(resource.physicalId)) return [];
    const definition = parseFunctionDefinition(resource, join(assemblyFolder, path), environment);
    const file = join(definition.codeFolder, definition.handler.replace(/\.\w+$/, '.mjs'));
    const env = buildWorkerEnvironment(definition, environment, 'bench', 'secret');
    const times = Array.from({ length: runs }, () =>
      Number(execFileSync(process.execPath, ['-e', program, file], { env, encoding: 'utf8' })),
    );
    return [{ name: definition.name.replace(`${stackName}--`, ''), ms: times.sort((a, b) => a - b)[1] ?? 0 }];
  });
  rows.sort((a, b) => b.ms - a.ms);
  const median = rows[Math.floor(rows.length / 2)]?.ms ?? 0;
  printTable(
    `Cold start of ${rows.length} functions: median ${median.toFixed(0)} ms of processor time`,
    rows.map(({ name, ms }) => ({ function: name, 'CPU ms': ms.toFixed(0) })),
  );
}
