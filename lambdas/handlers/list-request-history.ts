import { requestOperations } from '../../contract/requests.ts';
import { route } from '../platform/http/route.ts';
import { deployedSeal, deployedStore } from '../records/deployed-records.ts';
import { listHistory } from '../records/list-history.ts';

export const handler = route(requestOperations.listRequestHistory, listHistory(deployedStore(), deployedSeal()));
