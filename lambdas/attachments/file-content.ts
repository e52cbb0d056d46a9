import type { AttachmentType } from '../../contract/attachment-types.ts';

// Compares the bytes of a file with its declared media type, so that a download is what its name says.

/** The first bytes by media type, as Latin-1 text; `.` is any byte. Types without an entry are texts. */
const signatures: Partial<Record<AttachmentType, readonly string[]>> = {
  'image/png': ['\x89PNG\r\n\x1a\n'],
  'image/jpeg': ['\xff\xd8\xff'],
  'image/gif': ['GIF87a', 'GIF89a'],
  'image/webp': ['RIFF....WEBP'],
  'video/mp4': ['....ftyp'],
  'video/webm': ['\x1aE\xdf\xa3'],
  'application/pdf': ['%PDF-'],
  'application/zip': ['PK\x03\x04', 'PK\x05\x06'],
  'application/gzip': ['\x1f\x8b'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['PK\x03\x04'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['PK\x03\x04'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['PK\x03\x04'],
};

/** Windows writes logs in UTF-16, which contains zero bytes, after one of these marks. */
const utf16Marks = ['\xff\xfe', '\xfe\xff'];

const maxSignatureBytes = 16;

export function matchesType(bytes: Uint8Array, type: AttachmentType): boolean {
  const start = Buffer.from(bytes.subarray(0, maxSignatureBytes)).toString('latin1');
  const own = signatures[type];
  if (own) return own.some((signature) => startsWith(start, signature));
  const isKnownBinary = Object.values(signatures).some((each) =>
    each.some((signature) => startsWith(start, signature)),
  );
  const isText = utf16Marks.some((mark) => start.startsWith(mark)) || !bytes.includes(0);
  return isText && !isKnownBinary;
}

function startsWith(start: string, signature: string): boolean {
  return [...signature].every((character, index) => character === '.' || character === start[index]);
}
