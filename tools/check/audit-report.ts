import * as z from 'zod';

/** The part of the output of `npm audit --json` that we read. */
const auditReport = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({
      severity: z.string(),
      range: z.string().default('*'),
      via: z.array(z.union([z.string(), z.object({ title: z.string().optional(), url: z.string().optional() })])),
    }),
  ),
});

export type AuditReport = z.infer<typeof auditReport>;

/** Undefined when the text is not a report: npm prints something else when the registry does not respond. */
export function readReport(text: string): AuditReport | undefined {
  try {
    return auditReport.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** One line per vulnerable package. */
export function findSevere({ vulnerabilities }: AuditReport): string[] {
  return Object.entries(vulnerabilities)
    .filter(([, { severity }]) => severity === 'high' || severity === 'critical')
    .map(([name, { severity, range, via }]) => {
      const causes = via.map((cause) =>
        typeof cause === 'string' ? cause : [cause.title, cause.url].join(' ').trim(),
      );
      return `${severity}: ${name} ${range}: ${causes.join('; ')}`;
    });
}
