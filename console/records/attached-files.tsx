import { type ReactNode, useRef, useState } from 'react';
import { type ServiceClient, ServiceProblem } from '../../client/index.ts';
import {
  type AttachmentType,
  attachmentTypes,
  maxAttachedFiles,
  maxAttachmentBytes,
} from '../../contract/attachment-types.ts';
import { useApi } from '../base/api.ts';
import { Box, Button, ExternalLink, Icon, Progress } from '../ui/kit/index.ts';

// Files of a note: dropped, pasted or chosen in the form, uploaded at once, and shown in the note.

interface Upload {
  key: number;
  name: string;
  size: number;
  /** From 0 to 1. */
  progress: number;
  /** Of the complete upload. */
  id?: string;
  error?: string;
}

interface Uploads {
  list: readonly Upload[];
  /** The ids of the complete uploads. */
  ids: string[];
  isBusy: boolean;
  add(files: Iterable<File>): void;
  remove(upload: Upload): void;
  clear(): void;
}

export function useUploads(recordId: string): Uploads {
  const { client } = useApi();
  const [list, setList] = useState<readonly Upload[]>([]);
  const nextKey = useRef(0);
  const change = (key: number, part: Partial<Upload>) =>
    setList((before) => before.map((one) => (one.key === key ? { ...one, ...part } : one)));
  const start = (file: File) => {
    const key = nextKey.current++;
    setList((before) => [...before, { key, name: file.name, size: file.size, progress: 0 }]);
    uploadFile(client, recordId, file, (progress) => change(key, { progress })).then(
      (id) => change(key, { id, progress: 1 }),
      (error: unknown) => change(key, { error: describe(error) }),
    );
  };
  return {
    list,
    ids: list.flatMap(({ id = [] }) => id),
    isBusy: list.some(({ id, error }) => id === undefined && error === undefined),
    add: (files) => [...files].slice(0, Math.max(0, maxAttachedFiles - list.length)).forEach(start),
    remove: ({ key, id }) => {
      setList((before) => before.filter((one) => one.key !== key));
      // The service would keep a file that no note has until somebody deletes it.
      if (id !== undefined) void client.deleteAttachment({ id }).catch(() => {});
    },
    clear: () => setList([]),
  };
}

async function uploadFile(
  client: ServiceClient,
  record_id: string,
  file: File,
  onProgress: (share: number) => void,
): Promise<string> {
  if (file.size === 0) throw new Error('The file is empty.');
  if (file.size > maxAttachmentBytes) throw new Error(`Files have at most ${formatSize(maxAttachmentBytes)}.`);
  const { name: filename, size: size_bytes } = file;
  const content_type = findType(file);
  const { id, upload } = await client.createAttachment({ record_id, filename, content_type, size_bytes });
  await send(upload, file, onProgress);
  await client.completeAttachment({ id });
  return id;
}

/** Browsers disagree on the types of many files. The service rejects a text that is none. */
function findType({ name, type }: File): AttachmentType {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const [known] =
    Object.entries(attachmentTypes).find(([, list]) => (list as readonly string[]).includes(extension)) ?? [];
  return (known ?? (type in attachmentTypes ? type : 'text/plain')) as AttachmentType;
}

const maxUploadMs = 10 * 60_000;

/** fetch() does not report the progress of an upload. */
function send(
  { method, url, headers }: { method: string; url: string; headers: Record<string, string> },
  file: File,
  onProgress: (share: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = () => reject(new Error('The upload failed. Remove the file and try again.'));
    request.open(method, url);
    request.timeout = maxUploadMs;
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
    request.onload = () => (request.status === 200 ? resolve() : fail());
    request.onerror = fail;
    request.ontimeout = fail;
    request.send(file);
  });
}

function describe(error: unknown): string {
  if (!(error instanceof ServiceProblem)) return error instanceof Error ? error.message : String(error);
  return error.errors.some(({ field }) => field === 'content_type')
    ? 'Its content is not of the type that its name says, or the type is not accepted.'
    : error.detail;
}

/** Accepts files that are dropped on its content or pasted into it. */
export function FileDrop({ uploads, children }: { uploads: Uploads; children: ReactNode }) {
  const [isOver, setIsOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: "Attach files" does the same with the keyboard.
    <div
      className={isOver ? 'file-drop over' : 'file-drop'}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        setIsOver(false);
        if (event.dataTransfer.files.length === 0) return;
        event.preventDefault();
        uploads.add(event.dataTransfer.files);
      }}
      onPaste={(event) => {
        if (event.clipboardData.files.length === 0) return;
        event.preventDefault();
        uploads.add(event.clipboardData.files);
      }}
    >
      {children}
    </div>
  );
}

export function UploadList({ uploads }: { uploads: Uploads }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files"
        onChange={({ target }) => {
          uploads.add(target.files ?? []);
          target.value = '';
        }}
      />
      {uploads.list.length > 0 && (
        <ul className="attachments" aria-label="Files of this note">
          {uploads.list.map((upload) => (
            <li key={upload.key} className="wrapping">
              <Icon name="file" /> {upload.name} <Size bytes={upload.size} />{' '}
              <Button
                variant="icon"
                icon="close"
                ariaLabel={`Remove ${upload.name}`}
                onClick={() => uploads.remove(upload)}
              />
              {upload.error !== undefined && (
                <div role="alert" className="ui-field-error">
                  {upload.error}
                </div>
              )}
              {upload.error === undefined && upload.id === undefined && (
                <Progress value={Math.round(upload.progress * 100)} ariaLabel={`Upload of ${upload.name}`} />
              )}
            </li>
          ))}
        </ul>
      )}
      <Button variant="inline" onClick={() => input.current?.click()}>
        Attach files
      </Button>{' '}
      <Box variant="span" muted small>
        or drop them here: up to {maxAttachedFiles} files of {formatSize(maxAttachmentBytes)}
      </Box>
    </div>
  );
}

interface NoteFile {
  id?: string | undefined;
  filename: string;
  content_type: string;
  size_bytes: number;
  url: string;
}

export function NoteFiles({ attachments }: { attachments: readonly NoteFile[] }) {
  return (
    <ul className="attachments" aria-label="Attachments">
      {attachments.map((file) => (
        <li key={`${file.filename} ${file.url}`} className="wrapping">
          <Icon name="file" /> {file.id === undefined ? <FileLink {...file} /> : <FileButton {...file} id={file.id} />}{' '}
          <Box variant="span" muted small>
            {file.content_type}, <Size bytes={file.size_bytes} />
          </Box>
        </li>
      ))}
    </ul>
  );
}

function FileLink({ url, filename }: NoteFile) {
  return (
    <ExternalLink href={url} rel="noopener noreferrer nofollow">
      {filename}
    </ExternalLink>
  );
}

/** Its URL is valid for minutes, so it is requested when somebody wants the file. */
function FileButton({ id, filename }: { id: string; filename: string }) {
  const { client } = useApi();
  const [error, setError] = useState<string>();
  const download = async () => {
    try {
      const { download_url } = await client.getAttachment({ id });
      // The response is an attachment, so the page stays.
      if (download_url !== null) window.location.assign(download_url);
      setError(undefined);
    } catch (problem) {
      const isDeleted = problem instanceof ServiceProblem && problem.status === 404;
      setError(isDeleted ? 'This file was deleted.' : describe(problem));
    }
  };
  return (
    <>
      <Button variant="inline" ariaLabel={`Download ${filename}`} onClick={download}>
        {filename}
      </Button>
      {error !== undefined && <span role="alert"> {error}</span>}
    </>
  );
}

function Size({ bytes }: { bytes: number }) {
  return formatSize(bytes);
}

function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} KB`;
  return `${(bytes / 1_000_000).toFixed(bytes % 1_000_000 === 0 ? 0 : 1)} MB`;
}
