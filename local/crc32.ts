// The checksum of gzip and S3. node:zlib has it from Node 20.15 on, and the server supports 20.12.
const table = Int32Array.from({ length: 256 }, (_, value) => {
  let remainder = value;
  for (let bit = 0; bit < 8; bit++) remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1;
  return remainder;
});

export function crc32(bytes: Uint8Array): number {
  let remainder = -1;
  // An index, because iteration is ten times slower.
  for (let at = 0; at < bytes.length; at++)
    remainder = (table[(remainder ^ (bytes[at] as number)) & 255] as number) ^ (remainder >>> 8);
  return ~remainder >>> 0;
}
