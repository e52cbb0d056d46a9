import { routes } from '../../contract/routes.ts';
import { decide } from '../approvals/decide.ts';
import { changeResource, changeRules } from '../changes/change.ts';
import { route } from '../platform/http/route.ts';
import { deployedChanger } from '../records/deployed-records.ts';

export const handler = route(
  routes.rejectChange,
  decide(deployedChanger(changeResource), changeResource, changeRules, 'rejected'),
);
