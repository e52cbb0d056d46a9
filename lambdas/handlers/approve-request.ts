import { routes } from '../../contract/routes.ts';
import { decide } from '../approvals/decide.ts';
import { route } from '../platform/http/route.ts';
import { deployedChanger } from '../records/deployed-records.ts';
import { requestResource, requestRules } from '../requests/request.ts';

export const handler = route(
  routes.approveRequest,
  decide(deployedChanger(requestResource), requestResource, requestRules, 'approved'),
);
