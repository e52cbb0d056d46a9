import { apiPrefixes, stageName } from '../../contract/routes.ts';
import { etagOf } from '../records/etag.ts';
import { type IncidentRecord, showIncident } from './incident.ts';

export function incidentAnswer(record: IncidentRecord) {
  return { headers: { ETag: etagOf(record) }, body: showIncident(record) };
}

export function incidentLocation({ id }: Pick<IncidentRecord, 'id'>): string {
  return `/${stageName}${apiPrefixes[0]}/incidents/${id}`;
}
