import { requestOperations } from '../../contract/requests.ts';
import { deployedList } from '../lists/deployed-list.ts';
import { listResource } from '../lists/list-resource.ts';
import { route } from '../platform/http/route.ts';
import { requestResource } from '../requests/request.ts';
import { requestListing } from '../requests/request-listing.ts';

export const handler = route(
  requestOperations.listRequests,
  listResource(deployedList(requestListing), requestListing, requestResource),
);
