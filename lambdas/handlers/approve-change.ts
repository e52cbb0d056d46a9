import { changeOperations } from '../../contract/changes.ts';
import { decide } from '../approvals/decide.ts';
import { changeResource, changeRules } from '../changes/change.ts';
import { route } from '../platform/http/route.ts';
import { deployedChanger } from '../records/deployed-records.ts';

export const handler = route(
  changeOperations.approveChange,
  decide(deployedChanger(changeResource), changeResource, changeRules, 'approved'),
);
