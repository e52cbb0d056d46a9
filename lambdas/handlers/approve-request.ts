import { requestOperations } from '../../contract/requests.ts';
import { decide } from '../approvals/decide.ts';
import { route } from '../platform/http/route.ts';
import { deployedChanger } from '../records/deployed-records.ts';
import { requestResource, requestRules } from '../requests/request.ts';

export const handler = route(
  requestOperations.approveRequest,
  decide(deployedChanger(requestResource), requestResource, requestRules, 'approved'),
);
