import { useState } from 'react';
import type { ServiceClient } from '../../../client/index.ts';
import type { AnalysisType } from '../../../contract/findings.ts';
import { useApi } from '../../base/api.ts';
import { Box, Button, Row, SegmentedControl, Stack } from '../../ui/kit/index.ts';
import { Panel } from '../../ui/layouts.tsx';
import { PageLink } from '../../ui/links.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { formatDuration } from '../../ui/time.ts';
import { useAction } from '../../ui/use-action.ts';

const types: { id: AnalysisType; text: string }[] = [
  { id: 'summary', text: 'Summary' },
  { id: 'root_cause', text: 'Root cause' },
  { id: 'impact', text: 'Impact' },
];

/** An AI analysis of the incident on request. */
export function AnalysisPanel({ id }: { id: string }) {
  const { client } = useApi();
  const action = useAction();
  const [type, setType] = useState<AnalysisType>('summary');
  const [analysis, setAnalysis] = useState<Analysis>();
  const analyse = () =>
    void action.run(async () => {
      setAnalysis(await client.analyzeRecord({ record_type: 'incident', record_id: id, analysis_type: type }));
    });
  return (
    <Panel title="Analysis" footer={analysis && action.problem === undefined && <Cost analysis={analysis} />}>
      <Stack gap="m">
        <Row align="end">
          <SegmentedControl
            label="Analysis type"
            options={types}
            selectedId={type}
            onChange={(id) => setType(id as AnalysisType)}
          />
          <Button icon="sparkle" loading={action.busy} loadingText="Analyzing" onClick={analyse}>
            {' '}
            Analyze{' '}
          </Button>
        </Row>
        {action.problem !== undefined && <ProblemView problem={action.problem} onRetry={analyse} />}
        {action.problem === undefined && (
          <div role="status">
            {analysis ? (
              <Findings analysis={analysis} />
            ) : (
              <Box muted>Based on the incident, its work notes, similar past incidents and knowledge articles.</Box>
            )}
          </div>
        )}
      </Stack>
    </Panel>
  );
}

function Cost({ analysis: { model_used, tokens_used, latency_ms, cache } }: { analysis: Analysis }) {
  const again = cache ? `; cached ${cache.age_seconds} s ago` : '';
  return (
    <Box small muted>
      {`${model_used}, ${tokens_used} tokens, ${latency_ms} ms${again}`}
    </Box>
  );
}

export type Analysis = Awaited<ReturnType<ServiceClient['analyzeRecord']>>;

/** The findings of an analysis, with their confidence and sources. */
export function Findings({ analysis: { findings } }: { analysis: Analysis }) {
  const percent = Math.round(findings.confidence * 100);
  const similar = 'similar_past_incidents' in findings ? findings.similar_past_incidents : [];
  return (
    <Stack gap="s">
      <Markdown source={formatText(findings)} />
      <Box>
        {findings.confidence < 0.5 ? `Low confidence (${percent}%). Verify before acting.` : `Confidence: ${percent}%`}
      </Box>
      {toLists(findings).map(({ title, items }) => (
        <Items key={title} title={title} items={items} />
      ))}
      {'estimated_resolution_minutes' in findings && (findings.estimated_resolution_minutes ?? 0) > 0 && (
        <Box>
          Similar incidents took about {formatDuration((findings.estimated_resolution_minutes ?? 0) * 60_000)} to
          resolve.
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
    </Stack>
  );
}

type AnyFindings = Analysis['findings'];

function formatText(findings: AnyFindings): string {
  if ('probable_root_cause' in findings) return findings.probable_root_cause;
  return 'impact' in findings ? findings.impact : findings.summary;
}

function toLists(findings: AnyFindings): { title: string; items: readonly string[] }[] {
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
