import { ciOperations } from '../../contract/cis.ts';
import { ciType } from '../cmdb/ci.ts';
import { updateCi } from '../cmdb/update-ci.ts';
import { route } from '../platform/http/route.ts';
import { deployedChanger, deployedStore } from '../records/deployed-records.ts';

export const handler = route(ciOperations.updateCi, updateCi(deployedStore(), deployedChanger(ciType)));
