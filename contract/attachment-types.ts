// The files that can be attached. Free of zod, so that the browser can import it.

export const maxAttachmentBytes = 10_000_000;

/** Per note. */
export const maxAttachedFiles = 10;

/**
 * Media types by the extensions of their files. Types that a browser would run, such as HTML and SVG, are missing, and so
 * are programs.
 */
export const attachmentTypes = {
  'text/plain': ['txt', 'log', 'conf', 'ini', 'yaml', 'yml', 'diff', 'patch', 'sql', 'out', 'err'],
  'text/csv': ['csv'],
  'text/markdown': ['md'],
  'application/json': ['json', 'jsonl', 'har'],
  'message/rfc822': ['eml'],
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'video/mp4': ['mp4'],
  'video/webm': ['webm'],
  'application/pdf': ['pdf'],
  'application/zip': ['zip'],
  'application/gzip': ['gz', 'tgz'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx'],
} as const satisfies Record<string, readonly string[]>;

export type AttachmentType = keyof typeof attachmentTypes;

export const attachmentTypeNames = Object.keys(attachmentTypes) as [AttachmentType, ...AttachmentType[]];
