import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { PageLink } from '../../../components/page-link.tsx';
import { incidentPath } from '../../incidents/incident-words.ts';
import { filterDraftOf } from '../parts/filter-draft.ts';
import { type Filter, type LabResult, operators } from '../webhook-words.ts';
import { EventStatus } from './event-status.tsx';

export function LabResultView({ result }: { result: LabResult }) {
  const { incident_id: incident } = result;
  return (
    <SpaceBetween size="l">
      <KeyValuePairs
        columns={3}
        minColumnWidth={120}
        items={[
          { label: 'Result', value: <EventStatus status={result.status} /> },
          { label: 'Deduplication key', value: <span className="wrapping">{result.dedup_key ?? '–'}</span> },
          {
            label: 'Incident',
            value: incident === null ? '–' : <PageLink to={incidentPath(incident)}>{incident}</PageLink>,
          },
        ]}
      />
      {result.passed && result.errors.length > 0 && (
        <Alert type="error" header="The sender would receive 422. The event is retained so that you can replay it.">
          {result.errors.map(({ field, message }) => (
            <div key={`${field} ${message}`}>
              <strong>{field}</strong> {message}
            </div>
          ))}
        </Alert>
      )}
      {result.filters.length > 0 && <Filters filters={result.filters as readonly FilterResult[]} />}
      <SpaceBetween size="xxs">
        <Box variant="awsui-key-label">Fields</Box>
        <ul className="changes">
          {Object.entries(result.rendered).map(([field, text]) => (
            <li key={field} className="wrapping">
              <strong>{field}</strong>{' '}
              {text === '' ? (
                <Box variant="span" color="text-status-inactive">
                  empty (not set)
                </Box>
              ) : (
                text
              )}
            </li>
          ))}
        </ul>
      </SpaceBetween>
    </SpaceBetween>
  );
}

type FilterResult = Filter & { actual: unknown; passed: boolean };

function Filters({ filters }: { filters: readonly FilterResult[] }) {
  return (
    <SpaceBetween size="xxs">
      <Box variant="awsui-key-label">Filters</Box>
      <ul className="changes">
        {filters.map(({ actual, passed, ...filter }) => (
          <li key={JSON.stringify(filter)} className="wrapping">
            <StatusIndicator type={passed ? 'success' : 'stopped'}>
              <code>{filter.field}</code> {operators[filter.operator]} <strong>{filterDraftOf(filter).value}</strong>
              {!passed && <> (actual value: {JSON.stringify(actual)})</>}
            </StatusIndicator>
          </li>
        ))}
      </ul>
    </SpaceBetween>
  );
}
