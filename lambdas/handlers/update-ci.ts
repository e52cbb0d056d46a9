import { routes } from '../../contract/routes.ts';
import { ciType } from '../cmdb/ci.ts';
import { updateCi } from '../cmdb/update-ci.ts';
import { route } from '../platform/http/route.ts';
import { deployedChanger, deployedStore } from '../records/deployed-records.ts';

export const handler = route(routes.updateCi, updateCi(deployedStore(), deployedChanger(ciType)));
