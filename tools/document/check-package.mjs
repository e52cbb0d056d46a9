// Prints what publint and are-the-types-wrong find in a package: node check-package.mjs <folder> <tarball>
import { existsSync, readFileSync } from 'node:fs';

const [folder, tarball] = process.argv.slice(2);
if (existsSync(new URL('node_modules', import.meta.url))) {
  const { checkPackage, createPackageFromTarballData } = await import('@arethetypeswrong/core');
  const { publint } = await import('publint');
  const { messages } = await publint({ pkgDir: folder, strict: true });
  const { problems = [] } = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarball))));
  console.log(JSON.stringify({ publint: messages, typesWrong: problems }));
  if (messages.length + problems.length > 0) process.exitCode = 1;
} else {
  console.log('Not checked: run npm install --prefix tools/document --ignore-scripts first.');
}
