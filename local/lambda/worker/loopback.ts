import type { WorkerSetup } from './protocol.ts';

/**
 * Sends requests for the server's public URL directly to this machine. The proxy may be unreachable from here, or its
 * certificate may not be trusted.
 */
export function installLoopback({ publicUrl, loopbackUrl }: WorkerSetup['addresses']): void {
  if (publicUrl === loopbackUrl) return;
  const { fetch } = globalThis;
  globalThis.fetch = (input, init) => {
    const url = input instanceof Request ? undefined : String(input);
    return url?.startsWith(`${publicUrl}/`)
      ? fetch(loopbackUrl + url.slice(publicUrl.length), init)
      : fetch(input, init);
  };
}
