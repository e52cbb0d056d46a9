// Prints what publint and are-the-types-wrong find in a package: node check-package.mjs <folder> <tarball>
import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';

const [folder, tarball] = process.argv.slice(2);
const { messages } = await publint({ pkgDir: folder, strict: true });
const { problems = [] } = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarball))));
console.log(JSON.stringify({ publint: messages, typesWrong: problems }));
