import { readFile, writeFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { type Api, attachmentTypes, type ServiceClient } from '../client/index.ts';
import { type Command, readText, textOption, UsageError } from './command.ts';
import { addNote } from './records.ts';

type Creation = Api['createAttachment']['body'];

export const attachmentCommands: Command[] = [
  {
    name: 'attach',
    args: '<record> <file>…',
    minArgs: 2,
    summary: 'Add a note with files to an incident, problem, change or request',
    options: { note: textOption('text', 'Text of the note; the names of the files by default.') },
    async run({ args: [id = '', ...paths], options, output, connect, signal }) {
      const files = await Promise.all(paths.map((path) => readUpload(id, path)));
      const client = await connect();
      const attachment_ids: string[] = [];
      for (const { creation, bytes } of files) attachment_ids.push(await upload(client, creation, bytes, signal));
      const names = files.map(({ creation }) => creation.filename).join(', ');
      const note = await addNote(client, id, { body: readText(options, 'note') ?? names, attachment_ids });
      output.result(`Attached ${names} to ${id} (${attachment_ids.join(', ')})`, note);
    },
  },
  {
    name: 'download',
    args: '<attachment> [file]',
    minArgs: 1,
    summary: 'Save an attached file, under its own name or another; "-" is standard output',
    async run({ args: [id = '', path], output, connect, signal, stdout }) {
      const { download_url, ...file } = await (await connect()).getAttachment({ id });
      if (download_url === null) throw new Error(`The upload of ${id} is not complete.`);
      const bytes = new Uint8Array(await (await send(download_url, { signal })).arrayBuffer());
      if (path === '-') return void stdout.write(bytes);
      // Never overwrites a file under a name that somebody else chose.
      const name = path ?? basename(file.filename);
      await writeFile(name, bytes, { flag: path === undefined ? 'wx' : 'w' });
      output.result(`Saved ${name} (${bytes.byteLength} bytes)`, file);
    },
  },
];

async function readUpload(
  record_id: string,
  path: string,
): Promise<{ creation: Creation; bytes: Buffer<ArrayBuffer> }> {
  const extension = extname(path).slice(1).toLowerCase();
  const types = Object.entries<readonly string[]>(attachmentTypes);
  const [type] = types.find(([, extensions]) => extensions.includes(extension)) ?? [];
  if (!type) throw new UsageError(`"${path}" cannot be attached. Use ${types.flatMap(([, each]) => each).join(', ')}.`);
  const bytes = await readFile(path).catch(() => {
    throw new UsageError(`The file "${path}" could not be read.`);
  });
  const content_type = type as Creation['content_type'];
  return { creation: { record_id, filename: basename(path), content_type, size_bytes: bytes.byteLength }, bytes };
}

async function upload(client: ServiceClient, creation: Creation, bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal) {
  const { id, upload: request } = await client.createAttachment(creation);
  await send(request.url, { method: request.method, headers: request.headers, body: bytes, signal });
  await client.completeAttachment({ id });
  return id;
}

/** The bytes go to S3 and back, without the service. */
async function send(url: string, request: RequestInit): Promise<Response> {
  const response = await fetch(url, request);
  if (!response.ok) throw new Error(`S3 responded with ${response.status}: ${(await response.text()).slice(0, 300)}`);
  return response;
}
