// Texts as JSON on the standard input, their vectors as JSON on the output. A separate program, because the native
// runtime of the model does not accept arrays of Jest's realm.
import { text } from 'node:stream/consumers';
import { evaluationEncoder } from '../eval/ground.ts';

const embed = (await evaluationEncoder()).embed;
const vectors: number[][] = [];
for (const each of JSON.parse(await text(process.stdin)) as string[]) vectors.push([...(await embed(each))]);
process.stdout.write(JSON.stringify(vectors));
