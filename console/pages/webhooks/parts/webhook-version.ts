/** A webhook with what a change of it must name. */
export interface WebhookVersion<Webhook> {
  webhook: Webhook;
  etag: string | undefined;
}

/** Changes only on top of the version that was shown; otherwise the service says that it changed. */
export function onTopOf({ etag }: WebhookVersion<unknown>): { ifMatch?: string } {
  return etag ? { ifMatch: etag } : {};
}
