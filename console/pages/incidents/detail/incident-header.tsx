import Box from '@cloudscape-design/components/box';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import Header from '@cloudscape-design/components/header';
import { PriorityBadge } from '../priority-badge.tsx';
import { SlaLabel } from '../sla-label.tsx';
import { StateLabel } from '../state-label.tsx';
import type { CurrentIncident, IncidentVersion } from '../use-incident.ts';
import { IncidentActions } from './incident-actions.tsx';

export function IncidentHeader({ version, current }: { version: IncidentVersion; current: CurrentIncident }) {
  const { incident } = version;
  const { id, short_description, priority, state } = incident;
  return (
    <Header
      variant="h1"
      actions={<IncidentActions version={version} onSaved={current.show} />}
      description={
        <div className="facts-line">
          <span className="facts-line-part">
            <Box variant="strong">{id}</Box>
            <CopyToClipboard
              variant="icon"
              copyButtonAriaLabel="Copy ID"
              copySuccessText="ID copied"
              copyErrorText="Could not copy"
              textToCopy={id}
            />
          </span>
          <PriorityBadge priority={priority} />
          <StateLabel state={state} />
          {incident.sla_breach_at !== null && <SlaLabel incident={incident} />}
        </div>
      }
    >
      <span className="wrapping">{short_description}</span>
    </Header>
  );
}
