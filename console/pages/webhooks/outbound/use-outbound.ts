import { useCallback } from 'react';
import { useApi } from '../../../api.ts';
import { type Loaded, useLoad } from '../../../use-load.ts';
import type { OutboundWebhook } from '../webhook-words.ts';

/** A webhook with what a change of it must name. */
export interface OutboundVersion {
  webhook: OutboundWebhook;
  etag: string | undefined;
}

export function useOutbound(id: string): Loaded<OutboundVersion> {
  const { client } = useApi();
  const load = useCallback(
    async (signal: AbortSignal) => {
      const answer = await client.getOutboundWebhook.withResponse({ id }, { signal });
      return { webhook: answer.data as OutboundWebhook, etag: answer.etag };
    },
    [client, id],
  );
  return useLoad(load);
}
