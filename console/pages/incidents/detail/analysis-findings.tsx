import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ServiceClient } from '../../../../client/index.ts';
import { PageLink } from '../../../components/page-link.tsx';
import { Markdown } from '../../../markdown/markdown.tsx';
import { durationText } from '../../../time-text.ts';

export type Analysis = Awaited<ReturnType<ServiceClient['analyzeRecord']>>;

/** What was found, how sure it is, and what it rests on. */
export function Findings({ analysis: { findings } }: { analysis: Analysis }) {
  const percent = Math.round(findings.confidence * 100);
  const similar = 'similar_past_incidents' in findings ? findings.similar_past_incidents : [];
  return (
    <SpaceBetween size="s">
      <Markdown source={textOf(findings)} />
      <Box>
        {findings.confidence < 0.5 ? `Low confidence (${percent}%). Verify before acting.` : `Confidence: ${percent}%`}
      </Box>
      {listsOf(findings).map(({ title, items }) => (
        <Items key={title} title={title} items={items} />
      ))}
      {'estimated_resolution_minutes' in findings && (findings.estimated_resolution_minutes ?? 0) > 0 && (
        <Box>
          Similar incidents took about {durationText(findings.estimated_resolution_minutes! * 60_000)} to resolve.
        </Box>
      )}
      {'related_problem' in findings && findings.related_problem !== null && (
        <Box>Related problem: {findings.related_problem}</Box>
      )}
      {similar.length > 0 && (
        <div>
          <Box variant="h3">Similar past incidents</Box>
          <ul className="points">
            {similar.map((id) => (
              <li key={id}>
                <PageLink to={`/incidents/${id}`}>{id}</PageLink>
              </li>
            ))}
          </ul>
        </div>
      )}
    </SpaceBetween>
  );
}

type AnyFindings = Analysis['findings'];

function textOf(findings: AnyFindings): string {
  if ('probable_root_cause' in findings) return findings.probable_root_cause;
  return 'impact' in findings ? findings.impact : findings.summary;
}

function listsOf(findings: AnyFindings): { title: string; items: readonly string[] }[] {
  if ('probable_root_cause' in findings) return [{ title: 'Suggested steps', items: findings.resolution_steps }];
  if ('impact' in findings) {
    return [
      { title: 'Affected', items: findings.affected },
      { title: 'Risks', items: findings.risks },
    ];
  }
  return [
    { title: 'Key points', items: findings.key_points },
    { title: 'Open questions', items: findings.open_questions },
  ];
}

function Items({ title, items }: { title: string; items: readonly string[] }) {
  if (items.length === 0) return null;
  return (
    <div>
      <Box variant="h3">{title}</Box>
      <ul className="points">
        {items.map((item) => (
          <li key={item}>
            <Markdown source={item} />
          </li>
        ))}
      </ul>
    </div>
  );
}
