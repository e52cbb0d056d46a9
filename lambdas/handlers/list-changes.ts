import { changeOperations } from '../../contract/changes.ts';
import { changeResource } from '../changes/change.ts';
import { changeListing, plannedBounds } from '../changes/change-listing.ts';
import { deployedList } from '../lists/deployed-list.ts';
import { listResource } from '../lists/list-resource.ts';
import { route } from '../platform/http/route.ts';

export const handler = route(
  changeOperations.listChanges,
  listResource(deployedList(changeListing), changeListing, changeResource, plannedBounds),
);
