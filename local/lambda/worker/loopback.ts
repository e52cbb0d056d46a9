import type { WorkerSetup } from './protocol.ts';

/**
 * Functions that fetch from the server's public address reach it on this machine, without the proxy in front of it: the way
 * back may be closed, or its certificate unknown here.
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
