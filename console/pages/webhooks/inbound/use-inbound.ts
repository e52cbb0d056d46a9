import { useCallback } from 'react';
import { useApi } from '../../../api.ts';
import { type Loaded, useLoad } from '../../../use-load.ts';
import type { InboundWebhook } from '../webhook-words.ts';

/** A webhook with what a change of it must name. */
export interface InboundVersion {
  webhook: InboundWebhook;
  etag: string | undefined;
}

export function useInbound(id: string): Loaded<InboundVersion> {
  const { client } = useApi();
  const load = useCallback(
    async (signal: AbortSignal) => {
      const answer = await client.getInboundWebhook.withResponse({ id }, { signal });
      return { webhook: answer.data as InboundWebhook, etag: answer.etag };
    },
    [client, id],
  );
  return useLoad(load);
}
