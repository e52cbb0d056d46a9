import type { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SignatureV4 } from '@smithy/signature-v4';

interface Request {
  protocol: string;
  hostname: string;
  port?: number;
  path: string;
  headers: Record<string, string>;
}

/**
 * Presigns as `@aws-sdk/s3-request-presigner` does: the SDK builds the request of the command, and its signer moves the headers
 * into the query.
 */
export async function presign(
  client: S3Client,
  command: PutObjectCommand | GetObjectCommand,
  options: { expiresIn: number; signingDate: Date },
): Promise<string> {
  const { region, credentials, sha256 } = client.config;
  const signer = new SignatureV4({
    service: 's3',
    region,
    credentials,
    sha256,
    uriEscapePath: false,
    applyChecksum: false,
  });
  let url: URL | undefined;
  const stack = client.middlewareStack.clone();
  stack.add(
    () => async (args) => {
      const { host, hostname, port, ...request } = args.request as Request & { host?: string };
      const address = port === undefined ? hostname : `${hostname}:${port}`;
      const kept = Object.entries(request.headers).filter(([name]) => !/^(amz-sdk-|x-amz-user-agent)/.test(name));
      const headers = { ...Object.fromEntries(kept), host: address, 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD' };
      const signed = await signer.presign({ ...request, hostname, headers } as never, {
        ...options,
        unsignableHeaders: new Set(['content-type']),
      });
      url = new URL(`${request.protocol}//${address}${request.path}`);
      for (const [name, value] of Object.entries(signed.query ?? {})) url.searchParams.set(name, String(value));
      return { response: {}, output: { $metadata: {} } };
    },
    { step: 'build', priority: 'low' },
  );
  await command.resolveMiddleware(stack as never, client.config as never, {})({ input: command.input } as never);
  if (!url) throw new Error('the SDK built no request');
  return url.href;
}
