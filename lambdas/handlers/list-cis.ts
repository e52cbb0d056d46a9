import { ciOperations } from '../../contract/cis.ts';
import { ciType } from '../cmdb/ci.ts';
import { ciListing } from '../cmdb/ci-listing.ts';
import { deployedList } from '../lists/deployed-list.ts';
import { listResource } from '../lists/list-resource.ts';
import { route } from '../platform/http/route.ts';

export const handler = route(ciOperations.listCis, listResource(deployedList(ciListing), ciListing, ciType));
