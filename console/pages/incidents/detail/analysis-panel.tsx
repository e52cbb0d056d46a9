import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import LiveRegion from '@cloudscape-design/components/live-region';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import type { AnalysisType } from '../../../../contract/findings.ts';
import { useApi } from '../../../api.ts';
import { ProblemView } from '../../../components/problem-view.tsx';
import { useAction } from '../../../use-action.ts';
import { type Analysis, Findings } from './analysis-findings.tsx';

const types: { id: AnalysisType; text: string }[] = [
  { id: 'summary', text: 'Summary' },
  { id: 'root_cause', text: 'Root cause' },
  { id: 'impact', text: 'Impact' },
];

/** What the AI layer makes of the incident, when somebody asks for it. */
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
    <Container
      header={<Header variant="h2">Analysis</Header>}
      footer={analysis && action.problem === undefined && <Cost analysis={analysis} />}
    >
      <SpaceBetween size="m">
        <SpaceBetween direction="horizontal" size="xs">
          <SegmentedControl
            label="Analysis type"
            options={types}
            selectedId={type}
            onChange={({ detail }) => setType(detail.selectedId as AnalysisType)}
          />
          <Button iconName="gen-ai" loading={action.busy} loadingText="Analyzing" onClick={analyse}>
            {' '}
            Analyze{' '}
          </Button>
        </SpaceBetween>
        {action.problem !== undefined && <ProblemView problem={action.problem} onRetry={analyse} />}
        {action.problem === undefined && (
          <LiveRegion>
            {analysis ? (
              <Findings analysis={analysis} />
            ) : (
              <Box color="text-body-secondary">
                Based on the incident, its work notes, similar past incidents and knowledge articles.
              </Box>
            )}
          </LiveRegion>
        )}
      </SpaceBetween>
    </Container>
  );
}

function Cost({ analysis: { model_used, tokens_used, latency_ms, cache } }: { analysis: Analysis }) {
  const again = cache ? `; cached ${cache.age_seconds} s ago` : '';
  return (
    <Box fontSize="body-s" color="text-body-secondary">
      {`${model_used}, ${tokens_used} tokens, ${latency_ms} ms${again}`}
    </Box>
  );
}
