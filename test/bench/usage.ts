// AWS calls and capacity units per request, as the local runtime counts them.
import type { Service } from '../support/service.ts';

interface Usage {
  calls: Record<string, number>;
  /** By operation, then by table. */
  dynamodb: { consumed: Record<string, Record<string, number>> };
}

export async function resetUsage(service: Service): Promise<void> {
  await fetch(`${service.baseUrl}/_local/usage`, { method: 'DELETE' });
}

export async function measureUsagePerRequest(service: Service, requests: number): Promise<string> {
  const usage = (await (await fetch(`${service.baseUrl}/_local/usage`)).json()) as Usage;
  const each = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([name, count]) => `  ${(count / requests).toFixed(3).padStart(8)}  ${name}`)
      .join('\n');
  return `AWS calls per request\n${each(usage.calls)}\nDynamoDB capacity units per request\n${each(flatten(usage.dynamodb.consumed))}`;
}

function flatten(nested: Record<string, Record<string, number>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(nested).flatMap(([outer, inner]) =>
      Object.entries(inner).map(([name, count]) => [`${outer} ${name}`, count]),
    ),
  );
}
