import type { Properties, Stack } from '../template/resource-type.ts';

export interface HeaderRule {
  name: string;
  value: string;
}

/** Returns the headers that a response headers policy adds; they override the bucket's headers. */
export function parseHeadersPolicy(stack: Stack, policyId: string | undefined): HeaderRule[] {
  if (policyId === undefined) return [];
  const policies = stack.findByType('AWS::CloudFront::ResponseHeadersPolicy');
  const policy = policies.find(({ physicalId }) => physicalId === policyId);
  if (!policy) throw new Error(`the template has no response headers policy ${policyId}`);
  const { SecurityHeadersConfig: security = {}, CustomHeadersConfig } = policy.properties.ResponseHeadersPolicyConfig;
  const { ContentSecurityPolicy, ContentTypeOptions, FrameOptions, ReferrerPolicy, StrictTransportSecurity } = security;
  const values: Record<string, string | undefined> = {
    'content-security-policy': ContentSecurityPolicy?.ContentSecurityPolicy,
    'x-content-type-options': ContentTypeOptions && 'nosniff',
    'x-frame-options': FrameOptions?.FrameOption,
    'referrer-policy': ReferrerPolicy?.ReferrerPolicy,
    'strict-transport-security': StrictTransportSecurity && formatTransportSecurity(StrictTransportSecurity),
  };
  const custom: Properties[] = CustomHeadersConfig?.Items ?? [];
  return [
    ...Object.entries(values).flatMap(([name, value]) => (value ? [{ name, value }] : [])),
    ...custom.map(({ Header, Value }) => ({ name: String(Header).toLowerCase(), value: String(Value) })),
  ];
}

function formatTransportSecurity({ AccessControlMaxAgeSec, IncludeSubdomains, Preload }: Properties): string {
  const parts = [`max-age=${AccessControlMaxAgeSec}`, IncludeSubdomains && 'includeSubDomains', Preload && 'preload'];
  return parts.filter(Boolean).join('; ');
}
